package kit

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// AddError is the one place that turns an error of the client into a diagnostic: what
// happened, to what, what Neon said, and what to do next. A summary has the form "Unable to
// <verb> <noun>"; hints are what only the caller knows. The error is that of the attribute that it blames, if any.
func AddError(diags *diag.Diagnostics, summary string, err error, hints ...string) {
	if blamed, is := errors.AsType[*blamedError](err); is {
		diags.AddAttributeError(blamed.attribute, summary, Describe(err, hints))
		return
	}
	diags.AddError(summary, Describe(err, hints))
}

// AddAttributeError is AddError for an error that one attribute is the cause of.
func AddAttributeError(diags *diag.Diagnostics, attribute path.Path, summary string, err error) {
	diags.Append(causedDiagnostic{diag.NewAttributeErrorDiagnostic(attribute, summary, Describe(err, nil)), err})
}

// causedDiagnostic knows the error that it describes.
type causedDiagnostic struct {
	diag.DiagnosticWithPath

	cause error
}

// isAboutObject reports whether the cause is what Neon says of an object, and not the key, the
// network or Neon itself, which are in the way of everything.
func (d causedDiagnostic) isAboutObject() bool {
	if answer, is := errors.AsType[*client.Error](d.cause); is {
		return answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusNotFound
	}
	return !Is[*client.NotSentError](d.cause) && !Is[*client.UnansweredError](d.cause)
}

// AddReadError adds the error of a data source that finds one object by an attribute. If the object doesn't exist, the
// error is on the attribute; if its branch doesn't, on branch_id.
func AddReadError(diags *diag.Diagnostics, attribute, noun string, err error) {
	if client.IsAbsent(err) && (noun == "branch" || missingNoun(err) != "branch") {
		AddAttributeError(diags, path.Root(attribute), "No such "+noun, err)
		return
	}
	AddListError(diags, "Unable to read "+noun, err)
}

// AddListError adds the error of a data source about an organization, a project or a branch. It is on the attribute
// that names a missing object, on project_id if the project can't be seen, or on branch_id if Neon doesn't offer the
// feature for the branch.
func AddListError(diags *diag.Diagnostics, summary string, err error) {
	missing := missingNoun(err)
	at := nounCalled(cmp.Or(missing, nounNotFound(err))).NamedIn
	switch {
	case at != "" && missing != "":
		AddAttributeError(diags, path.Root(at), "No such "+missing, err)
	case at != "":
		AddAttributeError(diags, path.Root(at), summary, err)
	case Is[*client.UnseenProjectError](err):
		AddAttributeError(diags, path.Root("project_id"), summary, err)
	case isNotOffered(err):
		AddAttributeError(diags, path.Root("branch_id"), summary, err)
	default:
		AddError(diags, summary, err)
	}
}

// isNotOffered reports whether Neon doesn't offer the feature for this branch. For credentials, its answer has a
// message but no reason.
func isNotOffered(err error) bool {
	answer, is := errors.AsType[*client.Error](err)
	return is && (answer.Reason != "" || strings.HasSuffix(answer.Message, "not available"))
}

// missingNoun is the kind of object that there isn't; empty where that isn't known.
func missingNoun(err error) string {
	if absent, is := errors.AsType[*client.AbsentError](err); is {
		return absent.Noun
	}
	return ""
}

// nounNotFound returns the kind of object that Neon's message says it didn't find, or "".
func nounNotFound(err error) string {
	answer, isAnswer := errors.AsType[*client.Error](err)
	if !isAnswer || answer.Foreign || answer.StatusCode != http.StatusNotFound {
		return ""
	}
	noun, _, _ := strings.Cut(answer.Message, " not found")
	return noun
}

// advisedError is an error whose cause the caller knows, and what to do about it.
type advisedError struct {
	error
	advice string
}

func (e *advisedError) Unwrap() error { return e.error }

// Advise adds to an error what to do about it, in place of the general advice.
func Advise(err error, advice string) error { return &advisedError{err, advice} }

func isAdvised(err error) bool { return Is[*advisedError](err) }

// Is reports whether an error is one of a type, or wraps one.
func Is[T error](err error) bool {
	_, is := errors.AsType[T](err)
	return is
}

// Describe is an error with the caller's hints, else with the advice that fits its kind.
func Describe(err error, hints []string) string {
	if advice := adviceFor(err); len(hints) == 0 && advice != "" {
		hints = []string{advice}
	}
	return strings.Join(append([]string{Sentence(err.Error())}, hints...), "\n\n")
}

// Sentence returns a text that begins with a capital letter, unless with a path or the name
// of an attribute, and ends with a full stop.
func Sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if text != "" && text[0] >= 'a' && text[0] <= 'z' && !strings.ContainsAny(strings.TrimRight(first, "."), `/\._`) {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	// A text that ends with a line of its own, such as a command, is left as it is.
	if strings.HasSuffix(text, "\n") {
		return strings.TrimSpace(text)
	}
	return strings.TrimRight(text, ".") + "."
}

// hintsToRepeat returns adviceFor an action or a query, which no apply repeats; how says how to repeat it. It returns
// nil if the error has advice already.
func hintsToRepeat(err error, how string) []string {
	advice := adviceFor(err)
	if isAdvised(err) || advice == "" {
		return nil
	}
	again := strings.NewReplacer("Apply again: it goes on from what is there", how, "Apply again", how,
		"apply again", strings.ToLower(how[:1])+how[1:])
	return []string{again.Replace(advice)}
}

// lostChange is what to do after a lost change or deletion. Creations say themselves how their object is found.
const lostChange = "Apply again: it reads what Neon has, and does what is left to do."

// adviceFor says what to do next.
func adviceFor(err error) string {
	var (
		lost       *client.AmbiguousError
		wait       *client.WaitError
		unaccepted *client.EndedError
		unsent     *client.NotSentError
		absent     *client.AbsentError
		answer     *client.Error
		advised    *advisedError
	)
	switch {
	case errors.As(err, &advised):
		return advised.advice
	case Is[*client.ReadOnlyError](err):
		return "Nothing was changed by this. Plans need no more than reads. To apply, leave the setting out that is " +
			"named here."
	case errors.As(err, &lost):
		return lostChange + BadAnswerAdvice(lost.Err)
	case Is[*client.OperationError](err):
		return "Neon could not finish its work; what it was done for is kept in the state. Apply again: what was left " +
			"unfinished is replaced or completed. If it fails again, give the operation's id to Neon's support."
	case errors.As(err, &wait):
		return adviceForWait(wait) + " Neon goes on by itself, and nothing is lost. The next apply reads what it has done, " +
			"and does what is left."
	case errors.As(err, &unaccepted):
		return AdviceForEnd(unaccepted.Err)
	case Is[*client.BadAnswerError](err):
		return cmp.Or(strings.TrimSpace(BadAnswerAdvice(err)), "Check the network and any proxy on the way, and apply again.")
	case errors.As(err, &unsent):
		return "This request was not sent, so it created and changed nothing. " + adviceForUnsent(unsent)
	case Is[*client.UnansweredError](err):
		return "Nothing was changed by this request. Check the network and any proxy on the way, and apply again."
	case Is[*client.PartialListError](err):
		return "A list with gaps would be mistaken for the whole. Run it again, or narrow the list with search."
	case Is[*client.UnseenProjectError](err):
		return unseenAdvice
	case errors.As(err, &absent) && nounCalled(absent.Noun).ListedBy != "":
		return "The data source neon_" + nounCalled(absent.Noun).ListedBy + " lists those that there are."
	case adviceOfNoun(err) != "":
		return adviceOfNoun(err)
	case errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound:
		return adviceForMissing(answer)
	case errors.As(err, &answer):
		return adviceForStatus(answer)
	}
	return ""
}

// blamedError is an error that one attribute is the cause of.
type blamedError struct {
	error
	attribute path.Path
}

func (e *blamedError) Unwrap() error { return e.error }

// Blame names the attribute that is the cause of an error of a write.
func Blame(err error, attribute path.Path) error { return &blamedError{err, attribute} }

// existsError says that what is to be created is there already.
type existsError struct{ what string }

func (e *existsError) Error() string { return e.what }

// Exists is the error of a creation whose object is there already. It is for objects that
// Neon would change instead of refusing the creation.
func Exists(what, resourceType string, key ...string) error {
	return Advise(&existsError{what}, "If another resource of this configuration manages it too, remove one of them. "+
		"Otherwise, for instance after an interrupted run or with the state lost, "+ImportIt(resourceType, key...))
}

// ImportIt goes on with a sentence about an object that is there already: the block that imports it. Terraform ignores
// the import of what its state has.
func ImportIt(resourceType string, key ...string) string {
	return importThere(resourceType, key...) + ownInTheWay
}

// ownInTheWay ends [ImportIt] at a creation: the present object may be the resource's own, since create_before_destroy
// keeps it. The plan of a replacement compares with another object.
const ownInTheWay = "\nIf it is this resource's own, its create_before_destroy is in the way: run terraform untaint " +
	"where it is tainted, or else remove that setting."

// importThere is ImportIt for an object that can't be the resource's own.
func importThere(resourceType string, key ...string) string {
	return importSentence(resourceType, key...) +
		"\nDon't import what another state manages, such as that of another workspace: each would undo the other's changes."
}

// importSentence is ImportIt about an object that is in no state.
func importSentence(resourceType string, key ...string) string {
	return "import it with this block in the root module, where " + resourceType + ".NAME stands for the address of " +
		"this resource (several instances of one take one block with for_each):\n\n" +
		ImportBlock(resourceType, strings.Join(key, "/")) + "\n"
}

// ImportBlock imports an object, as a resource of that type whose name is the user's.
func ImportBlock(resourceType, id string) string {
	return fmt.Sprintf("import {\n  to = %s.NAME\n  id = %q\n}", resourceType, id)
}

// ImportBlocks imports several objects, each by a block of its own.
func ImportBlocks(resourceType string, ids []string) string {
	blocks := make([]string, len(ids))
	for i, id := range ids {
		blocks[i] = ImportBlock(resourceType, id)
	}
	return strings.Join(blocks, "\n\n")
}

// RemovedBlock takes a resource out of the state, and leaves its object alone.
func RemovedBlock(address string) string {
	return "removed {\n  from = " + address + "\n  lifecycle {\n    destroy = false\n  }\n}"
}

// UnseenHints says how a resource is taken out of the state whose project was deleted,
// which Terraform can't find out by itself.
func UnseenHints(err error, resourceType string) []string {
	if !Is[*client.UnseenProjectError](err) {
		return nil
	}
	return []string{fmt.Sprintf(unseenAdvice+" If the project was deleted, replace this resource in the configuration "+
		"with the following block, where NAME is the name of the resource:\n\n"+RemovedBlock("%[1]s.NAME")+"\n\n"+
		"Or run terraform state rm %[1]s.NAME.", resourceType)}
}

const unseenAdvice = "Check the id of the project, which the data source neon_project finds by its name, and set " +
	"api_key (NEON_API_KEY) to a key that is allowed to see the project. If another provider block of this " +
	"configuration manages the project, set provider = neon.ALIAS here, too. And base_url must be the Neon that the " +
	"project belongs to: an emulator without -data that is started again knows none of the old ones."

const badAnswerAdvice = "Something other than Neon may have answered: check the provider's base_url and " +
	"claim_base_url (NEON_BASE_URL, NEON_API_HOST, NEON_CLAIM_BASE_URL), and any proxy on the way."

// BadAnswerAdvice is a sentence for an error that wraps an answer that can't be used; empty
// for others.
func BadAnswerAdvice(err error) string {
	if bad, is := errors.AsType[*client.BadAnswerError](err); is && !bad.CutOff {
		return " " + badAnswerAdvice
	}
	return ""
}

// AdviceForEnd returns what to do about a timeout or an interruption.
func AdviceForEnd(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "The time for it was up: raise the timeouts if Neon is only slow."
	}
	return "Apply again: it goes on from what is there."
}

// adviceForWait is AdviceForEnd for a wait, which may also have ended because nothing could be read.
func adviceForWait(wait *client.WaitError) string {
	if wait.Outage != nil {
		return adviceForUnread
	}
	return AdviceForEnd(wait.Err)
}

// adviceForRights says whose key may do what was refused at a path.
func adviceForRights(path string) string {
	if strings.Contains(path, "/organizations/") {
		return "What belongs to the organization itself is changed by an administrator of the organization: set api_key " +
			"(NEON_API_KEY) to the key of one."
	}
	return "It may do what its owner may: ask an administrator of the project or the organization for the right to do " +
		"this, or set api_key (NEON_API_KEY) to another key. A project-scoped key works in its own project only."
}

// adviceForMissing says what to do about a 404 that may be about the key, the address or an
// id.
func adviceForMissing(answer *client.Error) string {
	switch {
	case answer.Foreign, strings.HasPrefix(answer.Message, "this route does not exist"):
		return "Neon says what it doesn't find, and this doesn't, so it proves nothing. " + badAnswerAdvice
	case answer.IsOutsideKey():
		return "The API key is scoped to one project and works in that alone: set api_key (NEON_API_KEY) to a personal " +
			"key, or to one of the organization where that is enough."
	case answer.IsForPersonalKey():
		return "The API key is one of an organization or a project, and only a personal key may do this: set api_key " +
			"(NEON_API_KEY) to a personal key."
	}
	return "Check the ids and names, and that the API key may see what they name."
}

// adviceForUnsent says what may keep requests from Neon.
func adviceForUnsent(unsent *client.NotSentError) string {
	const settings = "the provider's base_url (NEON_BASE_URL, NEON_API_HOST) or claim_base_url (NEON_CLAIM_BASE_URL)"
	name, isName := errors.AsType[*net.DNSError](unsent.Err)
	switch {
	case isName && name.IsNotFound:
		return "There is no host " + name.Name + ": check the spelling of " + settings + ", and the network."
	case Is[tls.RecordHeaderError](unsent.Err):
		return "The server doesn't speak TLS: an address on this machine, such as an emulator's, may need http:// instead " +
			"of https:// in " + settings + "."
	case Is[*tls.CertificateVerificationError](unsent.Err):
		return "The server's certificate isn't one that this machine trusts. Behind a proxy that opens TLS connections, " +
			"name its certificate in the environment variable SSL_CERT_FILE; otherwise check " + settings + "."
	case errors.Is(unsent.Err, syscall.ECONNREFUSED):
		return "Nothing listens at that address: start what should, such as the emulator, or check " + settings +
			", and any proxy (HTTPS_PROXY, NO_PROXY)."
	}
	return "Check the network, a proxy (HTTPS_PROXY, NO_PROXY), and " + settings + "."
}

// planLimit is how Neon says that an account may not have something, or no more of it.
var planLimit = regexp.MustCompile(`(?i)(on|for) (your|this) account|(on|for) your plan|` +
	`not enabled for this project|allowed for the organization|LIMIT_EXCEEDED`)

const plans = "what each plan has is on https://neon.com/pricing."

// adviceForPlan says that the plan is the reason of a refusal; empty where it isn't.
func adviceForPlan(answer *client.Error) string {
	what, isLimit := strings.CutSuffix(answer.Message, " limit exceeded")
	switch {
	case isLimit && answer.StatusCode == http.StatusUnprocessableEntity:
		return "The plan of the account or the organization allows no more " + what + ": give up what nobody needs, or " +
			"choose a larger plan; " + plans
	case answer.StatusCode == http.StatusPaymentRequired, strings.HasSuffix(answer.Code, "_QUOTA_EXCEEDED"):
		return "What the plan, or quota of neon_project, allows in a billing period is used up: raise the quota, choose a " +
			"larger plan, or wait for the next period; " + plans
	case planLimit.MatchString(answer.Message + " " + answer.Code):
		return "The plan of the account or the organization doesn't allow this: leave it out, or choose another plan; " +
			plans
	}
	return ""
}

func adviceForStatus(answer *client.Error) string {
	status := answer.StatusCode
	if advice := adviceForPlan(answer); advice != "" {
		return advice
	}
	if answer.Foreign && status < http.StatusInternalServerError && status != http.StatusTooManyRequests {
		return badAnswerAdvice // It says nothing of the key or the configuration.
	}
	switch status {
	case http.StatusBadRequest:
		return "Neon does not accept the request as it is: check the values in the configuration."
	case http.StatusUnauthorized:
		return adviceForKey(answer.KeySource)
	case http.StatusForbidden:
		return "The API key isn't allowed to do this. " + adviceForRights(answer.Path)
	case http.StatusConflict:
		return "Something of that name or kind exists already. If another resource has given that name up in this run, " +
			"apply again; of two that exchange their names, give one a third name first. Otherwise choose another name, or " +
			"import what exists if it is to be managed here."
	case http.StatusPreconditionFailed:
		return "The account's plan, or the object's present state, doesn't allow this."
	case http.StatusUnprocessableEntity:
		return "Neon understood the request but can't carry it out: a limit of the plan, or the state of an object that it " +
			"concerns, is in the way. Apply again when what its message names has changed."
	case http.StatusLocked:
		return "Other work was still running on the project. Apply again when it is done, or raise the provider's " +
			"max_retries or the timeouts."
	case http.StatusTooManyRequests:
		return "Neon's rate limit is used up, perhaps by other programs with the same account. Apply again later, or set " +
			"requests_per_minute in the provider block to a part of the limit."
	}
	if status >= http.StatusInternalServerError {
		return "Neon, or something on the way to it, failed. Apply again later; the request id helps Neon's support."
	}
	return ""
}

// adviceForKey says which API key Neon doesn't accept.
func adviceForKey(source string) string {
	if source == "" {
		source = "that is configured"
	}
	return "The API key " + source + " is mistyped, expired or revoked. Set a valid one in the environment variable " +
		"NEON_API_KEY or in api_key of the provider block, which comes before the variable. A key for one project ends " +
		"when the project is transferred, and an emulator without -data has other keys whenever it is started."
}

// NoOrganization says where an organization can be set.
const NoOrganization = "Set org_id here, in the provider block, or in the environment variable NEON_ORG_ID."
