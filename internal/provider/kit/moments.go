package kit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// textValue is a value that has a text, such as a time in RFC 3339.
type textValue interface{ ValueString() string }

// Instant is a time to the second, as Neon keeps it; nil for none.
func Instant(value textValue) *time.Time {
	moment, err := time.Parse(time.RFC3339, value.ValueString())
	if err != nil {
		return nil
	}
	moment = moment.UTC().Truncate(time.Second)
	return &moment
}

// AtSameInstant reports whether two times are the same, however they are written.
func AtSameInstant(a, b textValue) bool {
	first, second := Instant(a), Instant(b)
	return first != nil && second != nil && first.Equal(*second)
}

// Now is the time by Neon's clock, or by this machine's where Neon can't be asked.
func (p *Platform) Now(ctx context.Context) time.Time {
	if !p.CanLookUp() {
		return time.Now()
	}
	return p.Client.Now(ctx)
}

// Expired is the error of an expires_at in the past, by Neon's clock; nil for any other.
func (p *Platform) Expired(ctx context.Context, expiry textValue) error {
	moment := Instant(expiry)
	if moment == nil || moment.After(p.Now(ctx)) {
		return nil
	}
	return Blame(fmt.Errorf("expires_at is %s, which is past: it must be in the future", expiry.ValueString()),
		expiryPath)
}

var expiryPath = path.Root("expires_at")

const expiredSummary = "Expiry in the past"

// CheckFuture refuses an expires_at in the past.
func (p *Platform) CheckFuture(ctx context.Context, expiry textValue, diags *diag.Diagnostics) {
	if err := p.Expired(ctx, expiry); err != nil {
		diags.AddAttributeError(expiryPath, expiredSummary, Sentence(err.Error()))
	}
}

// CheckExpiry is CheckFuture in a plan. For a creation it only warns, and the creation itself refuses an expired time:
// terraform destroy, which plans first, must not fail because of it. See [Planning.LookUps].
func (p Planning) CheckExpiry(ctx context.Context, expiry textValue) {
	if !p.IsCreation() {
		p.CheckFuture(ctx, expiry, p.Diags)
	} else if err := p.Expired(ctx, expiry); err != nil {
		p.Diags.AddAttributeWarning(expiryPath, expiredSummary, Sentence(err.Error())+untilMended)
	}
}

// CheckPast refuses a moment of the past that is still to come: by Neon's clock, which is asked where this machine's
// says so.
func (p *Platform) CheckPast(ctx context.Context, attribute string, moment textValue, diags *diag.Diagnostics) {
	at := Instant(moment)
	if at == nil || !at.After(time.Now()) || !p.CanLookUp() {
		return
	}
	if at.After(p.Client.Now(ctx)) {
		diags.AddAttributeError(path.Root(attribute), "A moment in the future", fmt.Sprintf(
			"%s is %s, which is still to come: it must be in the past.", attribute, moment.ValueString()))
	}
}

// CheckHistory refuses to replace an object with one that begins at a time which Neon would refuse only after the old
// one was deleted. It warns if the object is new or tainted: see [Planning.LookUps].
func CheckHistory(
	attribute string, moment textValue, project *client.Project, now time.Time, diags *diag.Diagnostics,
) {
	if reason := LacksHistory(attribute, moment, project, now); reason != "" {
		AddAttributeError(diags, path.Root(attribute), "No history of that moment", errors.New(reason))
	}
}

// LacksHistory says since when a project has history, if it has none of the given time; otherwise it returns "".
func LacksHistory(attribute string, moment textValue, project *client.Project, now time.Time) string {
	at := Instant(moment)
	if at == nil || project.HistoryRetentionSeconds == nil {
		return ""
	}
	since := project.CreatedAt
	if kept := now.Add(-time.Duration(*project.HistoryRetentionSeconds) * time.Second); kept.After(since) {
		since = kept
	}
	if !at.Before(since) {
		return ""
	}
	return fmt.Sprintf("Project %s keeps the history of %d seconds (history_retention_seconds), and none of the time "+
		"before it was created: there is history since about %s, and %s is before that. Configure a later %s.",
		project.ID, *project.HistoryRetentionSeconds, OptionalTime(&since).ValueString(), moment.ValueString(), attribute)
}

// SameInstant plans no change if only the format of a time differs.
func SameInstant() planmodifier.String {
	return KeepsSpelling(func(planned, present string) bool {
		return AtSameInstant(types.StringValue(planned), types.StringValue(present))
	})
}
