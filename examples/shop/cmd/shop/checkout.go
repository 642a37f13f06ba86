package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"shop/internal/checkout"
	"shop/internal/inventory"
	"shop/internal/load"
	"shop/internal/pricing"
	"shop/internal/session"
	"sync/atomic"
)

const (
	openCartsMax   = 120
	paymentWorkers = 96
	recentOrders   = 24
)

type checkoutRoutes struct {
	desk   *checkout.Desk
	carts  *session.Carts
	recent *checkout.Recent
	placed atomic.Int64
}

func checkoutService(m *router, o options, _ string) ([]load.Call, error) {
	s := &checkoutRoutes{
		desk: &checkout.Desk{
			Book:     pricing.NewBook(o.regress.has("pricing")),
			Ledger:   inventory.NewLedger(o.regress.has("lock")),
			Payments: checkout.NewPayments(paymentWorkers),
		},
		carts:  session.NewCarts(openCartsMax),
		recent: checkout.NewRecent(recentOrders),
	}
	m.route("POST", "/cart", s.openCart)
	m.route("POST", "/cart/quote", s.quoteCart)
	m.route("POST", "/orders", s.placeOrder)
	m.route("GET", "/orders/{id}", s.showOrder)
	return []load.Call{
		{Weight: 6, Method: "POST", Path: fixed("/cart"), Body: cartBody},
		{Weight: 6, Method: "POST", Path: fixed("/cart/quote"), Body: cartBody},
		{Weight: 12, Method: "POST", Path: fixed("/orders"), Body: cartBody},
		{Weight: 5, Method: "GET", Path: numbered("/orders/order-%05d", 25)},
		{Weight: 1, Method: "POST", Path: fixed("/orders"), Body: func(*rand.Rand) []byte { return []byte("[]") }},
	}, nil
}

func (s *checkoutRoutes) openCart(w http.ResponseWriter, r *http.Request) {
	lines, err := readLines(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	cart := s.carts.Open(lines)
	writeJSON(w, http.StatusCreated, cart)
}

func (s *checkoutRoutes) quoteCart(w http.ResponseWriter, r *http.Request) {
	lines, err := readLines(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	cart := s.carts.Open(lines)
	defer s.carts.Close(cart)
	writeJSON(w, http.StatusOK, s.desk.Book.Quote(lines))
}

func (s *checkoutRoutes) placeOrder(w http.ResponseWriter, r *http.Request) {
	lines, err := readLines(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	order, err := s.desk.Place(fmt.Sprintf("order-%05d", s.placed.Add(1)), tenant(r), lines)
	switch {
	case errors.Is(err, checkout.ErrEmptyCart):
		writeError(w, http.StatusUnprocessableEntity, err.Error())
	case errors.Is(err, inventory.ErrSoldOut):
		writeError(w, http.StatusConflict, err.Error())
	case errors.Is(err, checkout.ErrDeclined):
		writeError(w, http.StatusBadGateway, err.Error())
	case err != nil:
		writeError(w, http.StatusInternalServerError, err.Error())
	default:
		s.recent.Keep(order)
		writeJSON(w, http.StatusCreated, order)
	}
}

func (s *checkoutRoutes) showOrder(w http.ResponseWriter, r *http.Request) {
	order, ok := s.recent.Find(r.PathValue("id"))
	if !ok {
		writeError(w, http.StatusNotFound, "there is no such order")
		return
	}
	writeJSON(w, http.StatusOK, order)
}

func readLines(r *http.Request) ([]pricing.Line, error) {
	var lines []pricing.Line
	if err := json.NewDecoder(r.Body).Decode(&lines); err != nil {
		return nil, fmt.Errorf("the cart cannot be read: %w", err)
	}
	return lines, nil
}
