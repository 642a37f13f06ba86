// Package memdb is a driver for database/sql whose tables are made up. A query
// takes as long as one over a network, and returns as many rows as its LIMIT says.
package memdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// Open connects to a database that answers after delay.
func Open(delay time.Duration) *sql.DB { return sql.OpenDB(connector{delay}) }

type connector struct{ delay time.Duration }

func (c connector) Connect(context.Context) (driver.Conn, error) { return &conn{c.delay}, nil }
func (c connector) Driver() driver.Driver                        { return nil }

type conn struct{ delay time.Duration }

func (c *conn) Prepare(query string) (driver.Stmt, error) { return &statement{c, limitOf(query)}, nil }
func (c *conn) Close() error                              { return nil }
func (c *conn) Begin() (driver.Tx, error)                 { return nil, errors.New("memdb: no transactions") }

func (c *conn) QueryContext(ctx context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if err := c.roundTrip(ctx); err != nil {
		return nil, err
	}
	return &rows{left: limitOf(query)}, nil
}

func (c *conn) ExecContext(ctx context.Context, _ string, _ []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(1), c.roundTrip(ctx)
}

func (c *conn) roundTrip(ctx context.Context) error {
	time.Sleep(c.delay)
	return ctx.Err()
}

func limitOf(query string) int {
	_, limit, ok := strings.Cut(query, "LIMIT ")
	if !ok {
		return 1
	}
	count, _ := strconv.Atoi(limit)
	return count
}

type statement struct {
	conn  *conn
	limit int
}

func (s *statement) Close() error  { return nil }
func (s *statement) NumInput() int { return -1 }

func (s *statement) Exec([]driver.Value) (driver.Result, error) {
	time.Sleep(s.conn.delay)
	return driver.RowsAffected(1), nil
}

func (s *statement) Query([]driver.Value) (driver.Rows, error) {
	time.Sleep(s.conn.delay)
	return &rows{left: s.limit}, nil
}

type rows struct{ left int }

func (r *rows) Columns() []string { return []string{"id", "name", "amount"} }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(to []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	r.left--
	to[0], to[1], to[2] = int64(r.left), "row "+strconv.Itoa(r.left), int64(r.left*13%997)
	return nil
}
