package emulator

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
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
// as the platform gives, however many are asked for.
func (e *Emulator) branchQuery(c *call) (branchQuery, error) {
	var q branchQuery
	var err error
	q.search, _ = c.query("search")
	if q.limit, err = c.queryInt("limit", e.config.BranchPage, 1, 10000); err != nil {
		return q, err
	}
	q.limit = min(q.limit, e.config.BranchPage)
	if q.sortBy, err = c.queryOneOf("sort_by", "updated_at", "name", "created_at", "updated_at"); err != nil {
		return q, err
	}
	if q.sortOrder, err = c.queryOneOf("sort_order", "desc", "asc", "desc"); err != nil {
		return q, err
	}
	if _, err = c.queryBool("include_deleted"); err != nil {
		return q, err
	}
	if cursor, ok := c.query("cursor"); ok {
		if q.after = decodePosition(cursor); q.after == nil {
			return q, badQuery("cursor", "must be a cursor of an earlier answer")
		}
		// The cursor goes on in the order that it came from.
		q.sortBy, q.sortOrder = q.after.SortBy, q.after.SortOrder
	}
	return q, nil
}

func decodePosition(cursor string) *branchPosition {
	text, err := base64.StdEncoding.DecodeString(cursor)
	var p branchPosition
	if err != nil || json.Unmarshal(text, &p) != nil || p.BranchID == "" {
		return nil
	}
	return &p
}

func (q branchQuery) position(b *branch) branchPosition {
	p := branchPosition{BranchID: b.ID, SortBy: q.sortBy, SortOrder: q.sortOrder}
	switch q.sortBy {
	case "name":
		p.Value = b.Name
	case "created_at":
		p.Value = sortable(b.CreatedAt)
	default:
		p.Value = sortable(b.UpdatedAt)
	}
	return p
}

// sortable writes a time so that the order of texts is the order of times.
func sortable(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

func (q branchQuery) compare(a, b branchPosition) int {
	order := cmp.Or(strings.Compare(a.Value, b.Value), strings.Compare(a.BranchID, b.BranchID))
	if q.sortOrder == "desc" {
		return -order
	}
	return order
}
