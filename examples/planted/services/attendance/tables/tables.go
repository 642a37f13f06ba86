// Package tables orders rows.
package tables

// GroupBy has the rows of each key.
func GroupBy[T any, K comparable](rows []T, key func(T) K) map[K][]T {
	groups := map[K][]T{}
	for _, row := range rows {
		groups[key(row)] = append(groups[key(row)], row)
	}
	return groups
}
