package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

func readOK(page string, reply *http.Response) ([]byte, error) {
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, err
	}
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s: %s", page, reply.Status, body)
	}
	return body, nil
}

func store(path string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, body, 0o644)
}

func compress(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// stringTable is the field of profile.proto's Profile that holds all text.
const stringTable = 6

var errNotProto = errors.New("not a protobuf message")

// withoutPaths names the binary's mapping "shop" instead of the path at which
// this machine happened to build it. Everything else stays byte for byte.
func withoutPaths(zipped []byte, binaryPath string) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var out []byte
	for len(raw) > 0 {
		field, size, err := nextField(raw)
		if err != nil {
			return nil, err
		}
		if field.number == stringTable && string(field.bytes) == binaryPath {
			out = append(out, stringTable<<3|2, byte(len("shop")))
			out = append(out, "shop"...)
		} else {
			out = append(out, raw[:size]...)
		}
		raw = raw[size:]
	}
	return compress(out)
}

type field struct {
	number int
	bytes  []byte
}

// nextField reads one field of wire type 0 (varint) or 2 (length-delimited),
// the only ones in profile.proto, and says how many bytes it takes.
func nextField(raw []byte) (field, int, error) {
	key, n := binary.Uvarint(raw)
	if n <= 0 {
		return field{}, 0, errNotProto
	}
	value, m := binary.Uvarint(raw[n:])
	if m <= 0 {
		return field{}, 0, errNotProto
	}
	at := n + m
	switch key & 7 {
	case 0:
		return field{number: int(key >> 3)}, at, nil
	case 2:
		if value > uint64(len(raw)-at) {
			return field{}, 0, errNotProto
		}
		return field{number: int(key >> 3), bytes: raw[at : at+int(value)]}, at + int(value), nil
	default:
		return field{}, 0, errNotProto
	}
}
