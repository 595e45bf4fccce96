package main

import (
	"fmt"
	"slices"
	"time"
)

// number is what can be measured.
type number interface{ ~int64 | ~float64 }

// median is the middle one, or the mean of the two in the middle.
func median[T number](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// fastest is for what takes as long as it must, and longer where the machine does
// something else meanwhile.
func fastest(values []seconds) seconds { return slices.Min(values) }

// seconds is a duration as the table shows it.
type seconds time.Duration

// String returns short durations in milliseconds.
func (s seconds) String() string {
	if d := time.Duration(s); d < time.Second {
		return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.1f s", time.Duration(s).Seconds())
}

// memory is an amount of memory.
type memory int64

// String returns it in mebibytes.
func (m memory) String() string { return fmt.Sprintf("%.0f MiB", float64(m)/(1<<20)) }

// share is a part of something.
type share float64

// String returns it with two digits.
func (s share) String() string { return fmt.Sprintf("%.2f", float64(s)) }

// compare makes a result of what was measured and of its bound.
func compare[T interface {
	number
	fmt.Stringer
}](measured, bound T, requests int) result {
	return result{measured: measured, bound: bound, ratio: float64(measured) / float64(bound), requests: requests}
}

// comparePairs compares short measurements that were taken in turns. What slows the machine down
// for some seconds meets both of a pair, so that the median of their ratios is steadier than the
// ratio of the fastest.
func comparePairs(measured, bound []seconds, requests int) result {
	ratios := make([]float64, len(measured))
	for i := range measured {
		ratios[i] = float64(measured[i]) / float64(bound[i])
	}
	return result{measured: median(measured), bound: median(bound), ratio: median(ratios), requests: requests}
}
