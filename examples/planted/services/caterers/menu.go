package main

import "encoding/json"

type course struct {
	Name        string             `json:"name"`
	Allergens   []string           `json:"allergens,omitempty"`
	Nutrition   map[string]float64 `json:"nutrition"`
	PerGuest    float64            `json:"per_guest"`
	Vegetarian  bool               `json:"vegetarian"`
	Ingredients []ingredient       `json:"ingredients"`
}

type ingredient struct {
	Name  string `json:"name"`
	Grams int    `json:"grams"`
}

type menu struct {
	Guests  int      `json:"guests"`
	Courses []course `json:"courses"`
}

func (m menu) render() ([]byte, error) { return document(m) }

// document is what the shop's web page and the printed card are made from.
func document(of any) ([]byte, error) {
	return json.MarshalIndent(of, "", "  ")
}
