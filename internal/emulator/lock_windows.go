package emulator

import (
	"errors"
	"syscall"
)

const (
	fileFlagDeleteOnClose = 0x04000000
	errorSharingViolation = syscall.Errno(32)
)

// lockFile creates a file and locks it for this process alone, until release removes
// it or the process ends: nobody else can open a file that is shared with nobody.
func lockFile(name string) (release func() error, err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|fileFlagDeleteOnClose, 0)
	if errors.Is(err, errorSharingViolation) {
		err = errFileInUse
	}
	if err != nil {
		return nil, err
	}
	return func() error { return syscall.CloseHandle(handle) }, nil
}
