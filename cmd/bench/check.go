package main

// failure is what ends the measuring of a row, wherever it happens. As nothing can be measured after it, functions here
// don't return it: check and must panic with it, and caught makes an error of it.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// caught is deferred where failures become an error. Any other panic goes on.
func caught(err *error) {
	switch reason := recover().(type) {
	case nil:
	case failure:
		*err = reason.error
	default:
		panic(reason)
	}
}
