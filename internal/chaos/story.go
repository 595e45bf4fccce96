package chaos

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

// advice is what an error of the provider says in one form or another, so that
// a person knows what to do.
var advice = regexp.MustCompile(`(?i)apply again|import|revoke|raise|check|look in|look for|run it again|untaint|-replace=|interrupted|set [a-z_]+ = |set a|is wrong`)

// own is how a warning of others of the same name begins: with the one that isn't meant.
var own = regexp.MustCompile(`of the same name as \S+|(API key|Endpoint|Service credential) \S+ was created\. `)

// story is what happened to one resource.
type story struct {
	lines []string
	// steps failed, and of those, failures that an apply afterwards made good.
	failures, repaired int
	// taken counts what was taken in with the import block of an error.
	taken int
	// surprises are what must never happen, besides things left behind.
	surprises []string
	// helpless are errors that don't say what to do.
	helpless []string
	words    strings.Builder
}

func (s *story) tell(format string, values ...any) {
	line := time.Now().Format("15:04:05.000 ") + fmt.Sprintf(format, values...)
	s.lines = append(s.lines, strings.TrimSpace(line))
}

// heard keeps what the provider said about a step.
func (s *story) heard(step, words string, err error) {
	if words != "" || err != nil {
		s.words.WriteString(own.ReplaceAllString(words, ""))
		s.tell("%s: %s", step, words)
	}
	var refused *failure
	if err != nil && !errors.As(err, &refused) {
		s.surprise("%s: %v", step, err)
	}
}

func (s *story) failed(step string, err error) {
	s.failures++
	s.tell("%s failed", step)
	if !advice.MatchString(err.Error()) {
		s.helpless = append(s.helpless, err.Error())
	}
}

func (s *story) recovered(failures int) { s.repaired += failures }

func (s *story) surprise(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	s.surprises = append(s.surprises, text)
	s.tell("SURPRISE: %s", text)
}

// names reports whether the provider spoke of an object: by its id, or by its name
// where the answer to its creation was lost.
func (s *story) names(o object) bool {
	return s.losses(o) > 0 || s.speaksOf(o)
}

// speaksOf reports whether the provider said an object's id.
func (s *story) speaksOf(o object) bool {
	id := o.id()
	if o.kind == credentials || o.kind == triggers { // Which are told of by what Neon calls them.
		id = path.Base(id)
	}
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(id) + `\b`).MatchString(s.words.String())
}

// losses is how often the provider said that the answer to the creation of such an object was lost.
func (s *story) losses(o object) int {
	return strings.Count(strings.ToLower(s.words.String()), strings.ToLower(o.lostAs()+" may have taken effect"))
}

// lostAs is what the provider calls an object whose id it can't know.
func (o object) lostAs() (named string) {
	switch o.kind {
	case projects:
		named = fmt.Sprintf("project named %q", o.Name)
	case branches:
		named = fmt.Sprintf("branch named %q in project %s", o.Name, o.ProjectID)
	case endpoints:
		named = fmt.Sprintf("endpoint named %q on branch %s", o.Name, o.BranchID)
	case roles:
		named = fmt.Sprintf("role %q on branch %s", o.Name, o.BranchID)
	case databases:
		named = fmt.Sprintf("database %q on branch %s", o.Name, o.BranchID)
	case assignments:
		named = fmt.Sprintf("assignment of VPC endpoint %s to organization %s", path.Base(o.id()), o.OrgID)
	case restricted:
		named = fmt.Sprintf("restriction of project %s to VPC endpoint %s", o.ProjectID, path.Base(o.id()))
	case permissions:
		named = fmt.Sprintf("permission of %s for project %s", o.Email, o.ProjectID)
	case jwksURLs:
		named = fmt.Sprintf("JWKS URL %s of project %s", o.URL, o.ProjectID)
	case schedules:
		named = "backup schedule of branch " + o.BranchID
	case dataAPIs:
		named = fmt.Sprintf("Data API of database %q on branch %s", servedDatabase, o.BranchID)
	case auths:
		named = "Neon Auth on branch " + o.BranchID
	case oauths:
		named = fmt.Sprintf("OAuth provider %s of Neon Auth on branch %s", o.ProviderName, o.BranchID)
	case domains:
		named = fmt.Sprintf("trusted domain %s of Neon Auth on branch %s", o.Domain, o.BranchID)
	case memberRoles:
		named = fmt.Sprintf("role %s of member %s in project %s", o.Role, o.MemberID, o.ProjectID)
	case invitations:
		named = fmt.Sprintf("invitation of %s to organization %s", o.Email, o.OrgID)
	case limits:
		named = "spending limit of organization " + o.OrgID
	case credentials:
		named = fmt.Sprintf("service credential named %q for branch %s", o.Name, o.BranchID)
	case buckets:
		named = fmt.Sprintf("bucket %q on branch %s", o.Name, o.BranchID)
	case bucketObjects:
		named = fmt.Sprintf("upload of object %q to bucket %q", o.Name, o.Bucket)
	case functions:
		named = fmt.Sprintf("deployment of function %s on branch %s", o.Name, o.BranchID)
	case triggers:
		named = fmt.Sprintf("trigger %q on branch %s", o.Name, o.BranchID)
	case customDomains:
		named = "custom domain " + o.Name
	case snapshots:
		named = fmt.Sprintf("snapshot named %q of branch %s", o.Name, o.BranchID)
	default:
		named = fmt.Sprintf("API key named %q", o.Name)
	}
	return named
}

func (s *story) String() string {
	return "    " + strings.ReplaceAll(strings.Join(s.lines, "\n"), "\n", "\n    ")
}
