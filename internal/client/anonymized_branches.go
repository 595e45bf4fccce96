package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// MaskingRule replaces the values of a column when its branch is anonymized: by what a function returns, or by a value.
type MaskingRule struct {
	DatabaseName string `json:"database_name"`
	SchemaName   string `json:"schema_name"`
	TableName    string `json:"table_name"`
	ColumnName   string `json:"column_name"`
	Function     string `json:"masking_function,omitempty"`
	// Value is a literal of SQL, so that a text has quotes of its own.
	Value string `json:"masking_value,omitempty"`
}

// States of an anonymization. It is an open set.
const (
	AnonymizationInitialized = "initialized"
	Anonymized               = "anonymized"
	anonymizationFailed      = "error"
	initializationFailed     = "initialization_error"
)

// Anonymization is how far the anonymization of a branch is.
type Anonymization struct {
	State   string `json:"state"`
	Message string `json:"status_message"`
	// LastRun is nil before the first one.
	LastRun *AnonymizationRun `json:"last_run"`

	read time.Time
}

// AnonymizationRun is one run. Its times are nil where Neon doesn't return them.
type AnonymizationRun struct {
	StartedAt     *time.Time `json:"started_at"`
	CompletedAt   *time.Time `json:"completed_at"`
	MaskedColumns *int64     `json:"masked_columns"`
}

// canBegin reports whether Neon takes an order to anonymize the branch.
func (a Anonymization) canBegin() bool {
	return slices.Contains([]string{AnonymizationInitialized, anonymizationFailed, Anonymized}, a.State)
}

// differs reports whether a run has begun or ended since before.
func (a Anonymization) differs(before Anonymization) bool {
	began := func(run *AnonymizationRun) time.Time {
		if run == nil {
			return time.Time{}
		}
		return *cmp.Or(run.StartedAt, &time.Time{})
	}
	return a.State != before.State || !began(a.LastRun).Equal(began(before.LastRun))
}

// IsUnprepared reports whether Neon could not make the branch ready, so that no run ever masks it.
func (e *AnonymizationError) IsUnprepared() bool { return e.State == initializationFailed }

// IsAnonymized reports whether the branch was created as one that is anonymized.
func (b *Branch) IsAnonymized() bool {
	_, annotated := b.Annotations["anonymized"]
	return annotated || b.Restriction("delete-rw-endpoint") != ""
}

// CreateAnonymizedBranch creates a branch with these rules, whose data isn't masked yet. A read_write endpoint comes
// with it. It must have a name.
// POST /projects/{project_id}/branch_anonymized: https://api-docs.neon.tech/reference/createprojectbranchanonymized
func (c *Client) CreateAnonymizedBranch(
	ctx context.Context, projectID string, create BranchCreate, rules []MaskingRule,
) (*Answer[NewBranch], error) {
	return c.createBranch(ctx, projectID, create, "/branch_anonymized",
		map[string]any{"branch_create": create.body(), "masking_rules": rules})
}

// GetAnonymization reads how far the anonymization of a branch is.
// GET /projects/{project_id}/branches/{branch_id}/anonymized_status: https://api-docs.neon.tech/reference/getanonymizedbranchstatus
func (c *Client) GetAnonymization(ctx context.Context, branch BranchRef) (*Anonymization, error) {
	request := branchKind.of(http.MethodGet, "/anonymized_status", branch.ProjectID, branch.ID)
	status, err := receive[Anonymization](ctx, c, request, "state")
	if err == nil {
		status.Message = c.apiKey.maskText(status.Message)
	}
	return status, err
}

// ListMaskingRules reads the rules of a branch, those too that SQL has set.
// GET /projects/{project_id}/branches/{branch_id}/masking_rules: https://api-docs.neon.tech/reference/getmaskingrules
func (c *Client) ListMaskingRules(ctx context.Context, branch BranchRef) ([]MaskingRule, error) {
	return receiveField[[]MaskingRule](ctx, c, branchKind.of(http.MethodGet, "/masking_rules", branch.ProjectID,
		branch.ID), "masking_rules")
}

// SetMaskingRules replaces the rules of a branch. They mask data when it is anonymized the next time.
// PATCH /projects/{project_id}/branches/{branch_id}/masking_rules: https://api-docs.neon.tech/reference/updatemaskingrules
func (c *Client) SetMaskingRules(ctx context.Context, branch BranchRef, rules []MaskingRule) error {
	request := branchKind.of(http.MethodPatch, "/masking_rules", branch.ProjectID, branch.ID)
	request.subject = "the masking rules of branch " + branch.ID
	request.body = map[string][]MaskingRule{"masking_rules": rules}
	return c.settle(ctx, request, "masking_rules", nil)
}

// Anonymize masks the data of a branch by its rules and waits for the end. It returns an AnonymizationError if that
// failed, and a WaitError if the context ended. Ready is what PrepareAnonymization has just returned, or nil.
// POST /projects/{project_id}/branches/{branch_id}/anonymize: https://api-docs.neon.tech/reference/startanonymization
func (c *Client) Anonymize(ctx context.Context, branch BranchRef, ready *Anonymization) (err error) {
	before := ready
	if ready == nil || time.Since(ready.read) > oldestBefore {
		if before, err = c.PrepareAnonymization(ctx, branch); err != nil {
			return err
		}
	}
	request := branchKind.of(http.MethodPost, "/anonymize", branch.ProjectID, branch.ID)
	request.subject = "the anonymization of branch " + branch.ID
	request.by = unrepeatable
	err = c.settle(ctx, request, "state", func(ctx context.Context) (bool, error) {
		now, err := c.GetAnonymization(ctx, branch)
		return err == nil && now.differs(*before), err
	})
	if err != nil {
		return err
	}
	began, hasBegun, isSilent := time.Now(), false, false
	now, err := c.awaitAnonymization(ctx, branch, "anonymized", func(now Anonymization) bool {
		// Until the run shows, the state is that of the one before.
		hasBegun = hasBegun || now.differs(*before)
		isSilent = !hasBegun && time.Since(began) > longestSilence
		return isSilent || hasBegun && slices.Contains([]string{Anonymized, anonymizationFailed}, now.State)
	})
	if isSilent {
		return fmt.Errorf("the anonymization of branch %s was ordered, and after %s nothing shows of it (state %s). "+
			"Whether it has begun isn't known, so the data may not be masked by the present rules. Apply again, which orders "+
			"it again", branch.ID, longestSilence, now.State)
	}
	return err
}

// longestSilence is how long it may take until a run shows.
const longestSilence = time.Minute

// PrepareAnonymization returns once a branch can be anonymized.
// GET /projects/{project_id}/branches/{branch_id}/anonymized_status: https://api-docs.neon.tech/reference/getanonymizedbranchstatus
func (c *Client) PrepareAnonymization(ctx context.Context, branch BranchRef) (*Anonymization, error) {
	now, err := c.awaitAnonymization(ctx, branch, "ready to be anonymized", Anonymization.canBegin)
	if _, failed := err.(*AnonymizationError); failed && now.State == anonymizationFailed { //nolint:errorlint // It is never wrapped there.
		err = nil // An earlier run, which another may make good.
	}
	return now, err
}

// awaitAnonymization polls until the branch is as wanted, which a failed one may be: that is an error all the same.
func (c *Client) awaitAnonymization(
	ctx context.Context, branch BranchRef, wanted string, is func(Anonymization) bool,
) (*Anonymization, error) {
	began, told, now := time.Now(), "", &Anonymization{}
	waiting := func() WaitError {
		return WaitError{For: fmt.Sprintf("branch %s to be %s (state %s)", branch.ID, wanted, cmp.Or(now.State, "unknown"))}
	}
	pause := func(waited time.Duration) time.Duration { return pollInterval(waited, expectation{}) }
	err := c.poll(ctx, waiting, pause, func() (bool, error) {
		read, err := c.GetAnonymization(ctx, branch)
		if err != nil {
			return false, err
		}
		now, read.read = read, time.Now()
		isDone := is(*now)
		// What is so from the start is no progress.
		if text := strings.TrimSuffix(now.State+": "+now.Message, ": "); text != told && (told != "" || !isDone) {
			told = text
			Say(ctx, "Branch %s after %s: %s.", branch.ID, time.Since(began).Round(100*time.Millisecond), text)
		}
		if now.State == initializationFailed || isDone && now.State == anonymizationFailed {
			return true, &AnonymizationError{BranchID: branch.ID, State: now.State, Message: now.Message}
		}
		return isDone, nil
	})
	return now, err
}
