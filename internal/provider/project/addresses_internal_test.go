package project

import "testing"

func TestAreAddresses(t *testing.T) {
	t.Parallel()
	for text, wanted := range map[string]bool{
		"203.0.113.7": true, "203.0.113.0/24": true, "203.0.113.7/24": true, "2001:db8::1": true, "2001:db8::/32": true,
		"203.0.113.7-203.0.113.20": true, "203.0.113.7 - 203.0.113.20": true, "203.0.113.7-203.0.113.7": true,
		"": false, "office": false, "203.0.113": false, "203.0.113.256": false, "203.0.113.0/33": false,
		"203.0.113.20-203.0.113.7": false, "203.0.113.7-2001:db8::1": false, "203.0.113.7-": false, "-203.0.113.7": false,
		"203.0.113.7,203.0.113.8": false, "203.0.113.0/24-203.0.113.9": false,
	} {
		if got := areAddresses(text); got != wanted {
			t.Errorf("%q: %t", text, got)
		}
	}
}
