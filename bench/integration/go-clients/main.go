// Calls operations of a ladder through two generated clients and reports answers that they can't
// decode. Standard input has a JSON list of {"operation", "parameters"}; the argument is the URL.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"

	oapicodegen "check/oapicodegen"
	openapigenerator "check/openapigenerator"
)

type call struct {
	Operation  string            `json:"operation"`
	Path       []string          `json:"path"`
	Parameters map[string]string `json:"parameters"`
}

// A client makes a call and returns the status of the answer.
type client func(call) (int, error)

func main() {
	url := os.Args[1]
	var calls []call
	if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil {
		fail(err)
	}
	clients := map[string]client{
		"openapi-generator": openapiGenerator(url),
		"oapi-codegen":      oapiCodegen(url),
	}
	faults := 0
	for _, name := range []string{"openapi-generator", "oapi-codegen"} {
		decoded := map[string]int{}
		for _, one := range calls {
			status, err := clients[name](one)
			if err != nil {
				faults++
				fmt.Printf("%s: %s %v %v: %v\n", name, one.Operation, one.Path, one.Parameters, err)
			} else if status == http.StatusOK {
				decoded[one.Operation]++
			}
		}
		total := 0
		for _, count := range decoded {
			total += count
		}
		fmt.Printf("%s: %d answers of %d operations decoded\n", name, total, len(decoded))
	}
	if faults > 0 {
		fail(fmt.Errorf("%d answers can't be decoded", faults))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// pascal turns an operationId or a parameter name into the name that both generators give it.
func pascal(name string) string {
	words := strings.Split(name, "_")
	for at, word := range words {
		words[at] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// valueOf parses text as a value of a type that a client takes.
func valueOf(text string, kind reflect.Type) reflect.Value {
	value := reflect.New(kind).Elem()
	switch kind.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(kind.Elem()))
		value.Elem().Set(valueOf(text, kind.Elem()))
	case reflect.String:
		value.SetString(text)
	case reflect.Bool:
		value.SetBool(text == "true")
	case reflect.Float32, reflect.Float64:
		number, _ := strconv.ParseFloat(text, 64)
		value.SetFloat(number)
	default:
		number, _ := strconv.ParseInt(text, 10, 64)
		value.SetInt(number)
	}
	return value
}

func openapiGenerator(url string) client {
	configuration := openapigenerator.NewConfiguration()
	configuration.Servers = openapigenerator.ServerConfigurations{{URL: url}}
	services := reflect.ValueOf(openapigenerator.NewAPIClient(configuration)).Elem()
	return func(one call) (int, error) {
		method := reflect.Value{}
		for at := 0; at < services.NumField() && !method.IsValid(); at++ {
			if strings.HasSuffix(services.Type().Field(at).Name, "API") {
				method = services.Field(at).MethodByName(pascal(one.Operation))
			}
		}
		if !method.IsValid() {
			return 0, fmt.Errorf("the client has no such operation")
		}
		arguments := []reflect.Value{reflect.ValueOf(context.Background())}
		for at, text := range one.Path {
			arguments = append(arguments, valueOf(text, method.Type().In(at+1)))
		}
		request := method.Call(arguments)[0]
		for name, text := range one.Parameters {
			setter := request.MethodByName(pascal(name))
			if !setter.IsValid() { // a word that Go reserves
				setter = request.MethodByName(pascal(name) + "_")
			}
			request = setter.Call([]reflect.Value{valueOf(text, setter.Type().In(0))})[0]
		}
		results := request.MethodByName("Execute").Call(nil)
		response, _ := results[len(results)-2].Interface().(*http.Response)
		err, _ := results[len(results)-1].Interface().(error)
		return outcome(response, err)
	}
}

func oapiCodegen(url string) client {
	made, err := oapicodegen.NewClientWithResponses(url)
	if err != nil {
		fail(err)
	}
	methods := reflect.ValueOf(made)
	return func(one call) (int, error) {
		method := methods.MethodByName(pascal(one.Operation) + "WithResponse")
		if !method.IsValid() {
			return 0, fmt.Errorf("the client has no such operation")
		}
		arguments := []reflect.Value{reflect.ValueOf(context.Background())}
		for at, text := range one.Path {
			arguments = append(arguments, valueOf(text, method.Type().In(at+1)))
		}
		if at := len(arguments); at < method.Type().NumIn()-1 {
			parameters := reflect.New(method.Type().In(at).Elem())
			for name, text := range one.Parameters {
				field := parameters.Elem().FieldByName(pascal(name))
				field.Set(valueOf(text, field.Type()))
			}
			arguments = append(arguments, parameters)
		}
		results := method.Call(arguments)
		err, _ := results[1].Interface().(error)
		if err != nil {
			return 0, err
		}
		answer := results[0].Elem()
		response := answer.FieldByName("HTTPResponse").Interface().(*http.Response)
		decoded := answer.FieldByName("JSON200")
		isJSON := strings.Contains(response.Header.Get("Content-Type"), "json")
		if response.StatusCode == http.StatusOK && isJSON && decoded.IsValid() && decoded.IsNil() {
			return 0, fmt.Errorf("the answer is not decoded")
		}
		return outcome(response, nil)
	}
}

// outcome tells a refusal, which is an answer too, from one that can't be decoded. The error of a
// decoded refusal is its status.
func outcome(response *http.Response, err error) (int, error) {
	if response != nil && (err == nil || err.Error() == response.Status) {
		return response.StatusCode, nil
	}
	if err == nil {
		err = fmt.Errorf("no answer")
	}
	return 0, err
}
