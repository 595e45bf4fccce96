package emulator

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// branchQuery is what a list of branches is asked for.
type branchQuery struct {
	search, sortBy, sortOrder string
	limit                     int
	after                     *branchPosition
}

// branchPosition is a place in a sorted list of branches: recorded cursors are
// base64 of such an object.
type branchPosition struct {
	BranchID  string `json:"branch_id"`
	SortBy    string `json:"sort_by"`
	Value     string `json:"sort_by_value"`
	SortOrder string `json:"sort_order"`
}

func (p branchPosition) encode() string {
	text, _ := json.Marshal(p) // It holds nothing that can't be encoded.
	return base64.StdEncoding.EncodeToString(text)
}

// branchQuery reads the parameters of a list. A page has at most so many branches
// as Neon gives, however many are asked for.
func (e *Emulator) branchQuery(c *call) branchQuery {
	q := branchQuery{
		limit:     min(c.queryInt("limit", e.config.BranchPage, 1, 10000), e.config.BranchPage),
		sortBy:    c.queryOneOf("sort_by", "updated_at", "name", "created_at", "updated_at"),
		sortOrder: c.queryOneOf("sort_order", "desc", "asc", "desc"),
	}
	q.search, _ = c.query("search")
	c.queryBool("include_deleted")
	if cursor, given := c.query("cursor"); given {
		if q.after = decodePosition(cursor); q.after == nil {
			c.refuseQuery("cursor", "must be a cursor of an earlier answer")
			return q
		}
		// The cursor goes on in the order that it came from.
		q.sortBy, q.sortOrder = q.after.SortBy, q.after.SortOrder
	}
	return q
}

// decodePosition returns nil for what isn't a cursor.
func decodePosition(cursor string) *branchPosition {
	text, err := base64.StdEncoding.DecodeString(cursor)
	var p branchPosition
	if err != nil || json.Unmarshal(text, &p) != nil || p.BranchID == "" {
		return nil
	}
	if _, err := p.key(); err != nil {
		return nil
	}
	return &p
}

// branchKey is what branches are sorted by: a name or a time, and then the id.
type branchKey struct {
	at       int64
	name, id string
}

func (q branchQuery) key(b *branch) branchKey {
	switch q.sortBy {
	case "name":
		return branchKey{name: b.Name, id: b.ID}
	case "created_at":
		return branchKey{at: b.CreatedAt.UnixNano(), id: b.ID}
	default:
		return branchKey{at: b.UpdatedAt.UnixNano(), id: b.ID}
	}
}

// key is the place of the cursor among the branches' keys.
func (p branchPosition) key() (branchKey, error) {
	if p.SortBy == "name" {
		return branchKey{name: p.Value, id: p.BranchID}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, p.Value)
	return branchKey{at: at.UnixNano(), id: p.BranchID}, err
}

// position is the cursor that leads behind a branch.
func (q branchQuery) position(b *branch) branchPosition {
	key := q.key(b)
	p := branchPosition{BranchID: b.ID, SortBy: q.sortBy, Value: key.name, SortOrder: q.sortOrder}
	if q.sortBy != "name" {
		p.Value = time.Unix(0, key.at).UTC().Format("2006-01-02T15:04:05.000000000Z")
	}
	return p
}

func (q branchQuery) compare(a, b branchKey) int {
	order := cmp.Compare(a.at, b.at)
	if order == 0 {
		order = cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.id, b.id))
	}
	if q.sortOrder == "desc" {
		return -order
	}
	return order
}

// listed is a branch with its key, which is made once: a project may have many.
type listed struct {
	branchKey
	branch *branch
}

// page returns the branches of one page in order, and whether it is the last one. It
// sorts no more than two pages at once.
func (q branchQuery) page(branches map[string]*branch) (page []*branch, last bool) {
	var after branchKey
	if q.after != nil {
		after, _ = q.after.key() // It was checked when it was decoded.
	}
	enough := q.limit + 1
	found := make([]listed, 0, min(2*enough, len(branches)))
	sort := func() {
		slices.SortFunc(found, func(a, b listed) int { return q.compare(a.branchKey, b.branchKey) })
		found = found[:min(enough, len(found))]
	}
	var beyond *branchKey
	for _, b := range branches {
		key := q.key(b)
		if beyond != nil && q.compare(key, *beyond) > 0 || q.after != nil && q.compare(key, after) <= 0 || !contains(q.search, b.Name, b.ID) {
			continue
		}
		if found = append(found, listed{key, b}); len(found) == 2*enough {
			sort()
			beyond = &branchKey{}
			*beyond = found[q.limit].branchKey
		}
	}
	sort()
	for _, one := range found[:min(q.limit, len(found))] {
		page = append(page, one.branch)
	}
	return page, len(found) <= q.limit
}
