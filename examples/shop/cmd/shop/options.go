package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
)

type options struct {
	addr, service, version, push, key string
	rate                              int
	regress                           regressions
	leak                              bool
}

// regressions are the parts that got worse: pricing, cache, lock.
type regressions []string

func (r regressions) has(name string) bool {
	return slices.Contains(r, name)
}

// regressionsOf are the parts of each service that can get worse.
var regressionsOf = map[string]regressions{
	"checkout": {"pricing", "lock"},
	"catalog":  {"cache"},
}

const leakingService = "search"

func parseOptions(args []string) (options, error) {
	var o options
	var regress string
	flags := flag.NewFlagSet("shop", flag.ExitOnError)
	flags.StringVar(&o.addr, "addr", "127.0.0.1:6060", "listen address")
	flags.StringVar(&o.service, "service", "checkout", "which service to be: checkout, catalog, search, gateway")
	flags.StringVar(&o.version, "version", "v1.8.0", "version tag of pushed profiles")
	flags.IntVar(&o.rate, "rate", 40, "self-made load, requests per second; 0 for none")
	flags.StringVar(&regress, "regress", "", "comma-separated regressions: pricing or lock (service checkout), cache (service catalog), or all of the service")
	flags.BoolVar(&o.leak, "leak", false, "leak goroutines (service search)")
	flags.StringVar(&o.push, "push", "", "push profiles to the Flamekeep at this URL")
	flags.StringVar(&o.key, "key", "", "API key for -push")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if services[o.service] == nil {
		return o, fmt.Errorf("there is no service %q", o.service)
	}
	if o.push != "" && o.key == "" {
		return o, errors.New("-push needs -key")
	}
	if o.leak && o.service != leakingService {
		return o, fmt.Errorf("the service %s does not leak: -leak is for -service %s", o.service, leakingService)
	}
	var err error
	o.regress, err = parseRegressions(o.service, regress)
	return o, err
}

func parseRegressions(service, text string) (regressions, error) {
	var chosen regressions
	known := regressionsOf[service]
	for _, name := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' }) {
		switch {
		case len(known) == 0:
			return nil, fmt.Errorf("the service %s has no regressions: leave -regress out", service)
		case name == "all":
			chosen = append(chosen, known...)
		case known.has(name):
			chosen = append(chosen, name)
		default:
			return nil, fmt.Errorf("the service %s has no regression %q: choose %s, or all", service, name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
