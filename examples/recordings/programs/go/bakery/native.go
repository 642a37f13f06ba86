//go:build cgo

package main

/*
static unsigned long long add_up(unsigned long long n) {
	volatile unsigned long long sum = 0;
	for (unsigned long long i = 0; i < n; i++) sum += i ^ (sum >> 3);
	return sum;
}
*/
import "C"

// nativeSum spends its time in C.
func nativeSum(n int) uint64 { return uint64(C.add_up(C.ulonglong(n))) }
