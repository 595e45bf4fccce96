//go:build !linux && !darwin

package postgres

import "errors"

// cloneFile isn't known here.
func cloneFile(string, string) error { return errors.ErrUnsupported }
