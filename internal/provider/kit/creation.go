package kit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// explain says what a failed creation left behind, and what the next apply does about it.
func (r *managed[M]) explain(
	ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse, err error,
) (hints []string, explained error) {
	lost, isLost := errors.AsType[*client.AmbiguousError](err)
	switch {
	case err == nil:
	case !resp.State.Raw.IsNull():
		return nil, Kept(err, r.called(resp.State.Raw))
	case !isAdvised(err) && r.isTaken(ctx, req.Plan, err):
		return r.takenHints(req.Plan), err
	case isAdvised(err), !isLost:
	case r.spec.Key.valid(r.spec.Key.values(req.Plan.Raw)):
		return nil, Advise(err, LostNamed(lost))
	default:
		return nil, Advise(err, r.lostUnnamed(req, lost))
	}
	return nil, err
}

// isTaken reports whether a creation was refused for an object that is there already. It isn't
// documented of each name which status that has.
func (r *managed[M]) isTaken(ctx context.Context, plan tfsdk.Plan, err error) bool {
	if client.HasStatus(err, http.StatusConflict) || !client.IsRefused(err) ||
		r.lastPart() != "name" {
		return client.HasStatus(err, http.StatusConflict)
	}
	var planned M
	if plan.Get(ctx, &planned).HasError() {
		return false
	}
	_, err = r.spec.Read(ctx, r.Run(&diag.Diagnostics{}), planned)
	return err == nil
}

// create creates the object, and says how to import one that is there already.
func (r *managed[M]) create(ctx context.Context, run Run, from tfsdk.Plan, plan M, save func(M)) error {
	err := r.spec.Create(ctx, run, plan, save)
	if errors.Is(err, client.ErrTaken) {
		return Exists(r.called(from.Raw)+" is there already", "neon_"+r.Name, r.spec.Key.values(from.Raw)...)
	}
	return err
}

// called is what messages call an object.
func (r *managed[M]) called(from tftypes.Value) string {
	return r.noun() + " " + strings.Join(r.spec.Key.values(from), "/")
}

// isKept reports whether what a creation has saved stays without an error: only the wait for it was interrupted, or its
// end couldn't be read. Neon goes on with it, and the next plan sees how far it is.
func isKept(err error) bool {
	return Is[*unfinishedError](err) || !isAdvised(err) &&
		(client.IsUnread(err) || Is[*client.WaitError](err) && errors.Is(err, context.Canceled))
}

// Unfinished is the error of a creation that the next apply completes: what was saved is kept without an error.
func Unfinished(err error) error { return &unfinishedError{err} }

type unfinishedError struct{ error }

func (e *unfinishedError) Unwrap() error { return e.error }

// keepUnfinished saves the object of a creation that was interrupted, or whose end couldn't be read, and adds a
// warning. An error would taint the object, and the next apply would destroy it while Neon still creates it. Terraform
// requires the state to equal the plan; the next refresh shows differences. If nothing was saved before, it returns the
// error.
func keepUnfinished(plan tfsdk.Plan, resp *resource.CreateResponse, called string, err error) error {
	if resp.State.Raw.IsNull() {
		return err
	}
	whole, mergeErr := tftypes.Transform(plan.Raw, func(
		at *tftypes.AttributePath, planned tftypes.Value,
	) (tftypes.Value, error) {
		saved, _, walkErr := tftypes.WalkAttributePath(resp.State.Raw, at)
		if value, is := saved.(tftypes.Value); !planned.IsKnown() && walkErr == nil && is && value.IsKnown() {
			return value, nil
		} else if !planned.IsKnown() {
			return tftypes.NewValue(planned.Type(), nil), nil
		}
		return planned, nil
	})
	if mergeErr != nil {
		return err
	}
	resp.State.Raw = whole
	summary, end := "Creation interrupted ("+called+")", "the next apply does what is left."
	if client.IsUnread(err) || !errors.Is(err, context.Canceled) {
		summary = "Unable to see the end of the creation of " + called
		end = "whether it has finished isn't known. " + adviceForUnread + " The next plan reads what there is, and the " +
			"next apply does what is left."
	}
	resp.Diagnostics.AddWarning(summary, Sentence(err.Error())+"\n\n"+Sentence(called+" exists and is kept in the "+
		"state. Neon goes on by itself, and "+end))
	return nil
}

const (
	unreadCauses    = "Check the network, any proxy on the way, and what the provider's api_key may read"
	adviceForUnread = unreadCauses + ", and apply again."
)

// Kept is the error of a creation whose object is saved already.
func Kept(err error, called string) error {
	kept := fmt.Errorf("%w; %s exists and is kept in the state", err, called)
	wait, isWait := errors.AsType[*client.WaitError](err)
	const tainted = "It may not be complete, so it is tainted: the next apply replaces it, unless it is untainted with " +
		"terraform untaint before. "
	switch {
	case isAdvised(err), Is[*client.OperationError](err):
		return kept // Their advice says so.
	case errors.Is(err, context.Canceled):
		return Advise(kept, tainted+"Neon goes on by itself, and nothing is lost.")
	case isWait:
		return Advise(kept, tainted+adviceForWait(wait)+" Neon goes on by itself, and nothing is lost.")
	}
	return Advise(kept, tainted+adviceFor(err))
}

// LostNamed is what to do after the lost creation of an object whose name no other can have.
func LostNamed(lost *client.AmbiguousError) string {
	return "It isn't in the state. Apply again: if it exists, it isn't created a second time, and the error has the " +
		"block that imports it." + BadAnswerAdvice(lost.Err)
}

// lostUnnamed returns the advice after a lost answer when Neon assigns the id, so that nobody can look it up.
func (r *managed[M]) lostUnnamed(req resource.CreateRequest, lost *client.AmbiguousError) string {
	id := r.spec.Key.values(req.Plan.Raw)
	for i, part := range r.spec.Key.Parts {
		if id[i] == "" {
			id[i] = strings.ToUpper(part.Name)
		}
	}
	look := "in the web console"
	if r.spec.ListedBy != "" {
		look += ", or with the data source neon_" + r.spec.ListedBy
	}
	return "It isn't in the state, and the next apply would create another one. So look first, " + look +
		". If it exists, " +
		importSentence("neon_"+r.Name, id...) + BadAnswerAdvice(lost.Err)
}
