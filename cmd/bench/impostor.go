package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// neonHost is the address that other providers have fixed in their code.
const neonHost = "console.neon.tech"

// impostor is a proxy that answers for Neon's own host itself. Only a program that is told of its
// address and certificate takes it for Neon.
type impostor struct {
	net.Listener

	security *tls.Config
}

// startImpostor lets the platform answer for Neon, and returns the variables that make a Go program
// ask it.
func (b *bench) startImpostor(p *platform) (map[string]string, error) {
	file := filepath.Join(b.folder, "neon.pem")
	certificate, err := certify(neonHost, file)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	// An emulator refuses requests under the name of a host that isn't this machine.
	asLoopback := func(w http.ResponseWriter, r *http.Request) {
		r.Host = "localhost"
		p.emulator.ServeHTTP(w, r)
	}
	server := &http.Server{Handler: http.HandlerFunc(asLoopback), ReadHeaderTimeout: 10 * time.Second}
	b.cleanup = append(b.cleanup, server.Close)
	security := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	go func() { _ = server.Serve(impostor{listener, security}) }() // It ends when the server is closed.
	return map[string]string{"HTTPS_PROXY": "http://" + listener.Addr().String(), "NO_PROXY": "", "SSL_CERT_FILE": file}, nil
}

// Accept returns the next connection to Neon's host that the proxy was asked for. Its other end is
// here. Our programs ask as soon as they are connected, so that none keeps the next one waiting.
func (i impostor) Accept() (net.Conn, error) {
	for {
		connection, err := i.Listener.Accept()
		if err != nil {
			return nil, err
		}
		request, err := http.ReadRequest(bufio.NewReader(connection))
		if err == nil && request.Method == http.MethodConnect && request.Host == neonHost+":443" {
			if _, err = io.WriteString(connection, "HTTP/1.1 200 Connection established\r\n\r\n"); err == nil {
				return tls.Server(connection, i.security), nil
			}
		}
		_ = connection.Close()
	}
}

// certify makes a certificate for a host that vouches for itself, and writes it to a file.
func certify(host, file string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	return tls.Certificate{Certificate: [][]byte{signed}, PrivateKey: key}, os.WriteFile(file, text, 0o600)
}
