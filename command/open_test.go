package command

import (
	"context"
	"fmt"
	"testing"
)

// Whatever an interrupt ends, as the enumeration of a space, is said alike.
func TestInterruptIsSaidAlike(t *testing.T) {
	err := openError(fmt.Errorf("the space of v: %w", context.Canceled))
	if s, ok := err.(*statusError); !ok || s.status != exitInterrupted || s.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}
