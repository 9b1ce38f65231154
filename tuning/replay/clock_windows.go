package replay

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getThreadTimes = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetThreadTimes")

// threadTime is the processor time that the calling thread has used (GetThreadTimes),
// in steps of the system's timer, 1/64 s: other processes do not add to it.
func threadTime() time.Duration {
	var created, ended, kernel, user windows.Filetime
	ok, _, err := getThreadTimes.Call(uintptr(windows.CurrentThread()), uintptr(unsafe.Pointer(&created)), uintptr(unsafe.Pointer(&ended)),
		uintptr(unsafe.Pointer(&kernel)), uintptr(unsafe.Pointer(&user)))
	if ok == 0 {
		panic("GetThreadTimes: " + err.Error()) // a thread may ask for its own
	}
	span := func(t windows.Filetime) time.Duration { // in 100 ns
		return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
	}
	return span(kernel) + span(user)
}
