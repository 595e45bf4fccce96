package emulator

import (
	"fmt"
	"strings"
	"testing"
)

// An organization has no more than ten endpoints in a region on a plan of its own, and none
// comes back that was removed; each region has its own.
func TestVPCEndpoints(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanScale})
	at := func(region string, number int) string {
		return fmt.Sprintf("{o}/vpc/region/%s/vpc_endpoints/vpce-%d", region, number)
	}
	for number := range mostVPCEndpoints {
		p.must("POST", at("aws-us-east-2", number), `{"label":""}`)
	}
	p.api("POST", at("aws-us-east-2", 10), `{"label":""}`).refused(422, "limit")
	p.must("POST", at("aws-us-east-2", 1), `{"label":"again"}`)
	p.must("POST", at("aws-us-east-1", 10), `{"label":""}`)
	p.must("DELETE", at("aws-us-east-2", 1), "")
	p.api("POST", at("aws-us-east-2", 1), `{"label":""}`).refused(422, "cannot be added back")
	p.must("POST", at("aws-us-east-2", 11), `{"label":""}`)
	if all := p.must("GET", "{o}/vpc/vpc_endpoints", ""); all.size("endpoints") != 11 {
		t.Errorf("listed: %s", all.text)
	}
}

// Pages of consumption follow each other in the order that is documented.
func TestConsumption_pages(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/projects", `{"name":"more","count":3}`)
	query := "/consumption_history/v2/projects?granularity=hourly&metrics=compute_unit_seconds&org_id=" + p.org +
		"&limit=2&from=" + p.ahead(0) + "&to=" + p.ahead(0)
	first := p.must("GET", query, "")
	rest := p.must("GET", query+"&cursor="+first.str("pagination", "cursor"), "")
	if first.size("projects") != 2 || rest.size("projects") != 2 || rest.at("pagination") != nil ||
		rest.str("projects", 1, "project_id") != p.project {
		t.Errorf("pages: %s, %s", first.text, rest.text)
	}
	p.api("GET", query+"&cursor=none", "").refused(400, `"cursor": must be a cursor of an earlier answer`)
	p.api("GET", strings.Replace(query, "projects", "branches", 1)+"&project_ids="+p.project+"&cursor=none",
		"").refused(400, `"cursor"`)
}
