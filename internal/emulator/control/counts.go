package control

import "maps"

// Requests are the requests to both APIs (the control path).
type Requests struct {
	Total    int            `json:"total"`
	ByRoute  map[string]int `json:"by_route"`
	ByStatus map[string]int `json:"by_status"`
}

// NewRequests has none.
func NewRequests() Requests {
	return Requests{ByRoute: map[string]int{}, ByStatus: map[string]int{}}
}

// Clone is what stays as it is now.
func (r Requests) Clone() Requests {
	return Requests{r.Total, maps.Clone(r.ByRoute), maps.Clone(r.ByStatus)}
}
