package main

import (
	"sync"

	"example.com/services/internal/sample"
)

type list []ingredient

func (l list) grams() (sum int) {
	for _, one := range l {
		sum += one.Grams
	}
	return sum
}

type kitchen struct {
	courses []course
	lists   sync.Map
	// prices of an ingredient, by day.
	prices [400][]float32
}

func newKitchen() *kitchen {
	names := sample.Words(11, 400)
	k := &kitchen{}
	for i := range k.prices {
		k.prices[i] = make([]float32, 40*366)
		for day := range k.prices[i] {
			k.prices[i][day] = 0.5 + float32((day*i)%700)/100
		}
	}
	for i := range 8 {
		one := course{Name: names[i], PerGuest: 4.5, Vegetarian: i%3 == 0, Allergens: names[i : i+2], Nutrition: map[string]float64{"fat": 3.2, "protein": 8, "sugar": 1.25}}
		for j := range 12 {
			one.Ingredients = append(one.Ingredients, ingredient{names[i*30+j], 20 + j*7})
		}
		k.courses = append(k.courses, one)
	}
	return k
}

func (k *kitchen) menuFor(guests int) menu {
	return menu{Guests: guests, Courses: k.courses[:6+guests%3]}
}

// shopping is worked out once for each party.
func (k *kitchen) shopping(party int) list {
	if ready, ok := k.lists.Load(party); ok {
		return ready.(list)
	}
	needed := k.multiply(party)
	k.lists.Store(party, needed)
	return needed
}

func (k *kitchen) multiply(party int) list {
	needed := make(list, 0, 576)
	for day := range 6 {
		for _, course := range k.courses {
			for _, one := range course.Ingredients {
				needed = append(needed, ingredient{one.Name, one.Grams*(party%90) + int(k.prices[one.Grams%400][day])})
			}
		}
	}
	return needed
}
