package main

import (
	"io"
	"strings"
	"testing"
)

func TestParse_refusesOtherMachines(t *testing.T) {
	t.Parallel()
	for address, served := range map[string]bool{
		"127.0.0.1:0": true, "127.0.0.2:8473": true, "[::1]:0": true, "localhost:0": true,
		"0.0.0.0:0": false, "[::]:0": false, ":8473": false, "192.168.0.1:0": false, "example.com:0": false,
		"127.0.0.1": false, "127.0.0.1.example.com:0": false,
	} {
		_, err := parse([]string{"-listen", address}, io.Discard)
		if served != (err == nil) {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && !strings.Contains(err.Error(), "-listen is") {
			t.Errorf("%s: the error doesn't name the option: %v", address, err)
		}
	}
}
