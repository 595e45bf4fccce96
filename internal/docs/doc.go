// Package docs holds tests of what people read: that links lead somewhere,
// that pages show examples, and that errors are quoted as they are.
package docs
