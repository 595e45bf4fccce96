package emulator

import "errors"

// errFileInUse is the error of lockFile where another process has the lock.
var errFileInUse = errors.New("the file is in use")
