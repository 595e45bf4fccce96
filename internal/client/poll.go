package client

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// poll looks until what Neon is working on is over, which look reports. It ends early with a WaitError, which waiting
// describes: when the context ends, or when Neon itself refuses to say how far it is. That an object is gone is
// returned as it is. A look that fails in any other way is an outage, and Neon's work goes on meanwhile. Pause is the
// time before the next look; nil for a look that waits by itself.
func (c *Client) poll(
	ctx context.Context, waiting func() WaitError, pause func(waited time.Duration) time.Duration,
	look func() (isOver bool, err error),
) error {
	began := time.Now()
	var outage error
	for {
		isOver, err := look()
		switch {
		case isOver, IsAbsent(err):
			return err
		case err == nil:
			outage = nil
		case ctx.Err() == nil && isOutage(err):
			outage = err
			c.logger.LogAttrs(ctx, slog.LevelWarn, "what is waited for can't be read; the wait goes on",
				slog.String("error", err.Error()))
		default:
			ended := waiting()
			ended.Waited, ended.Outage, ended.Err = time.Since(began), outage, err
			if ctx.Err() != nil {
				ended.Err = ctx.Err()
			} else {
				ended.Outage = err
			}
			return &ended
		}
		if pause != nil {
			_ = sleep(ctx, pause(time.Since(began))) // The next look ends with the context.
		}
	}
}

// isOutage reports whether a read has failed for a reason that may pass: anything but a refusal of Neon's own.
func isOutage(err error) bool {
	var answer *Error
	if errors.As(err, &answer) {
		return answer.Foreign || judge(http.MethodGet, err) == again
	}
	var unanswered *UnansweredError
	var unsent *NotSentError
	var bad *BadAnswerError
	return errors.As(err, &unanswered) || errors.As(err, &unsent) || errors.As(err, &bad)
}

// IsUnread reports whether err is a wait that ended because what it waited for couldn't be read.
func IsUnread(err error) bool {
	var wait *WaitError
	return errors.As(err, &wait) && wait.Outage != nil
}
