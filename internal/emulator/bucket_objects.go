package emulator

import (
	"cmp"
	"crypto/hmac"
	"crypto/md5" //nolint:gosec // What S3 calls the ETag of a small object.
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var objectRoutes = []route{
	{"DELETE " + objectPath, forProject, about((*Emulator).bucketObject, whenFree((*Emulator).deleteObject))},
	{"DELETE " + bucketPath + "/objects-by-prefix", forProject,
		about((*Emulator).bucket, whenFree((*Emulator).deleteObjects))},
	{"GET " + objectPath + "/download", forProject, about((*Emulator).bucketObject, (*Emulator).getObject)},
	{"GET " + bucketPath + "/objects", forProject, about((*Emulator).bucket, (*Emulator).listObjects)},
	{"POST " + objectPath + "/presign", forProject, withBody((*Emulator).presign)},
}

const (
	// largestObject is that of an upload.
	largestObject = 8 << 20
	// longestKey is in characters.
	longestKey = 1024
)

// checkKey refuses a key in the path that no object can have.
func (c *call) checkKey() error {
	if utf8.RuneCountInString(c.PathValue("object_key")) > longestKey {
		return badPath("object_key", "must have 1 to 1024 characters")
	}
	return nil
}

// listed are the objects whose keys begin with a prefix, by their keys.
func (b *bucket) listed(prefix string) []*bucketObject {
	found := slices.Collect(maps.Values(b.Objects))
	found = slices.DeleteFunc(found, func(o *bucketObject) bool { return !strings.HasPrefix(o.Key, prefix) })
	slices.SortFunc(found, func(x, y *bucketObject) int { return cmp.Compare(x.Key, y.Key) })
	return found
}

func (e *Emulator) bucketObject(c *call) (*bucketObject, error) {
	within, err := e.bucket(c)
	if err := cmp.Or(err, c.checkKey()); err != nil {
		return nil, err
	}
	if found := within.Objects[c.PathValue("object_key")]; found != nil {
		return found, nil
	}
	return nil, wire.NotFound("object not found")
}

// listObjects answers GET .../buckets/{bucket_name}/objects. The cursor is the last name of a page.
func (e *Emulator) listObjects(c *call, within *bucket) (reply, error) {
	limit := c.queryInt("limit", 1000, 1, 1000)
	prefix, delimiter, after := c.query("prefix"), c.query("delimiter"), c.query("cursor")
	objects, folders, last, isTruncated := []object{}, []string{}, "", false
	for _, o := range within.listed(prefix) {
		name := o.Key
		if head, _, cut := strings.Cut(o.Key[len(prefix):], delimiter); delimiter != "" && cut {
			name = prefix + head + delimiter
		}
		if name <= after || name == last {
			continue
		}
		if isTruncated = len(objects)+len(folders) == limit; isTruncated {
			break
		}
		if last = name; name == o.Key {
			objects = append(objects, object{"key": o.Key, "size": o.Size, "last_modified": wire.Seconds(o.ModifiedAt),
				"etag": o.ETag})
		} else {
			folders = append(folders, name)
		}
	}
	answer := map[string]any{"folders": folders, "objects": objects, "prefix": prefix, "is_truncated": isTruncated}
	if isTruncated {
		answer["next_cursor"] = last
	}
	return ok(answer)
}

func (e *Emulator) deleteObject(c *call, found *bucketObject) (reply, error) {
	delete(c.branch.bucketNamed(c.PathValue("bucket_name")).Objects, found.Key)
	return alreadyGone()
}

func (e *Emulator) deleteObjects(c *call, within *bucket) (reply, error) {
	prefix := c.query("prefix")
	if !strings.HasSuffix(prefix, "/") || utf8.RuneCountInString(prefix) > longestKey {
		return reply{}, badQuery("prefix", "must have 1 to 1024 characters and end with /")
	}
	deleted := 0
	for _, o := range within.listed(prefix) {
		if !o.IsInherited {
			delete(within.Objects, o.Key)
			deleted++
		}
	}
	return ok(map[string]int{"deleted": deleted})
}

func (e *Emulator) getObject(_ *call, found *bucketObject) (reply, error) {
	content, err := e.contents.Get(found.Hash)
	if err != nil {
		return reply{}, wire.NotFound("object not found: this emulator was started without -data since it was uploaded")
	}
	return ok(wire.File{Content: content, Type: cmp.Or(found.Type, "application/octet-stream"), ETag: found.quotedETag()})
}

// presign answers POST .../objects/{object_key}/presign with an address below the emulator's own.
func (e *Emulator) presign(c *call, body struct {
	Operation   string `json:"operation" fits:"required,=upload|download"`
	ContentType string `json:"content_type"`
	Seconds     int64  `json:"expires_in_seconds" fits:"1..604800"`
}) (reply, error) {
	_, err := e.bucket(c)
	if err := cmp.Or(err, c.checkKey()); err != nil {
		return reply{}, err
	}
	method, headers := http.MethodPut, map[string]string{}
	if body.ContentType != "" {
		headers["Content-Type"] = body.ContentType
	}
	if body.Operation == "download" {
		method, headers = http.MethodGet, map[string]string{}
	}
	expires := c.now.Add(time.Duration(cmp.Or(body.Seconds, 900)) * time.Second)
	path := "/_storage"
	for _, part := range []string{c.project.ID, c.branch.ID, c.PathValue("bucket_name"), c.PathValue("object_key")} {
		path += "/" + url.PathEscape(part)
	}
	query := url.Values{"X-Amz-Expires": {strconv.FormatInt(expires.Unix(), 10)}, "X-Amz-SignedHeaders": {"host"}}
	if headers["Content-Type"] != "" {
		query.Set("X-Amz-SignedHeaders", "content-type;host")
	}
	query.Set("X-Amz-Signature", e.world.secret(e.objectSignature(method, path, query, headers["Content-Type"])))
	return ok(map[string]any{
		"url": "http://" + c.Host + path + "?" + query.Encode(), "method": method, "headers": headers,
		"expires_at": wire.Seconds(expires),
	})
}

// objectSignature is of an address, and of the type of what is sent to it where that is signed, too.
func (e *Emulator) objectSignature(method, path string, query url.Values, contentType string) string {
	signed := query.Get("X-Amz-SignedHeaders")
	if !strings.Contains(signed, "content-type") {
		contentType = ""
	}
	return e.signature("object", method, path, query.Get("X-Amz-Expires"), signed, contentType)
}

// checkSigned refuses an address that wasn't signed, or has expired, and finds its project and branch.
func (e *Emulator) checkSigned(c *call) error {
	query := c.URL.Query()
	expires, err := strconv.ParseInt(query.Get("X-Amz-Expires"), 10, 64)
	signed := e.objectSignature(c.Method, c.URL.EscapedPath(), query, c.Header.Get("Content-Type"))
	c.project = e.world.Projects[c.PathValue("project_id")]
	if err != nil || c.project == nil || !hmac.Equal([]byte(signed), []byte(query.Get("X-Amz-Signature"))) ||
		c.now.Unix() > expires {
		return wire.Refuse(http.StatusForbidden, "the signature does not match, or has expired")
	}
	return e.findBranch(c)
}

// upload takes the content of an object, and replaces one of the same key.
func (e *Emulator) upload(c *call, within *bucket) (reply, error) {
	content := c.body
	sum := md5.Sum(content) //nolint:gosec // As above.
	o := &bucketObject{
		Key: c.PathValue("object_key"), Hash: hashText(content), ETag: hex.EncodeToString(sum[:]),
		Type: c.Header.Get("Content-Type"),
		Size: int64(len(content)), ModifiedAt: c.now,
	}
	if err := e.contents.Put(o.Hash, content, e.world.contentSizes()); err != nil {
		return reply{}, err
	}
	setIn(&within.Objects, o.Key, o)
	within.IsInherited = false
	return ok(wire.File{ETag: o.quotedETag()})
}

// quotedETag is the ETag as a header has it.
func (o *bucketObject) quotedETag() string { return `"` + o.ETag + `"` }

func hashText(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}

// contentSizes are the sizes of what objects have, by its hash.
func (w *world) contentSizes() map[string]int64 {
	sizes := map[string]int64{}
	add := func(b *branch) {
		for _, within := range b.Buckets {
			for _, o := range within.Objects {
				sizes[o.Hash] = o.Size
			}
		}
	}
	for p := range w.allProjects() {
		for _, b := range p.Branches {
			add(b)
		}
		for _, s := range p.Snapshots {
			add(s.Content)
		}
	}
	return sizes
}

var shownBucketObjects = shown{list: "bucket_objects", ofBranch: func(b *branch) (all []object) {
	for _, known := range b.Buckets {
		if !known.IsInherited {
			all = append(all, objectsOf(known.listed(""), func(o *bucketObject) object {
				return object{"id": o.Key, "name": o.Key, "bucket_name": known.Name, "size": o.Size, "sha256": o.Hash}
			})...)
		}
	}
	return all
}}
