// Asks a model about rows of numbers from Go: docs/c.md says how to run it.
package main

/*
#include <perpend/c.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"
)

// The last error belongs to a thread of the system, and a goroutine may change threads between two calls.
func check(call func() C.int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if call() != C.PERPEND_OK {
		fmt.Fprintln(os.Stderr, C.GoString(C.perpend_last_error()))
		os.Exit(1)
	}
}

func main() {
	path := C.CString(os.Args[1])
	defer C.free(unsafe.Pointer(path))
	var model *C.perpend_model
	check(func() C.int { return C.perpend_load(path, &model) })
	defer C.perpend_model_free(model)

	var values []C.double
	for _, cell := range os.Args[2:] {
		number, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		values = append(values, C.double(number))
	}
	columns := int(C.perpend_columns(model))
	classes := max(int(C.perpend_classes(model)), 1)
	if len(values) == 0 || len(values)%columns != 0 {
		fmt.Fprintf(os.Stderr, "a row has %d numbers\n", columns)
		os.Exit(2)
	}
	rows := len(values) / columns

	var table *C.perpend_table
	check(func() C.int { return C.perpend_table_new(&table) })
	defer C.perpend_table_free(table)
	for c := 0; c < columns; c++ {
		name := C.perpend_column(model, C.size_t(c))
		check(func() C.int {
			return C.perpend_table_add_numbers(table, name, &values[c], C.size_t(rows), C.ptrdiff_t(columns))
		})
	}
	answers := make([]C.double, rows*classes)
	disagreement := make([]C.double, rows)
	check(func() C.int {
		return C.perpend_predict(model, table, 0, C.size_t(rows), &answers[0], &disagreement[0], nil, nil)
	})
	for r := 0; r < rows; r++ {
		for k := 0; k < classes; k++ {
			name := "answer"
			if text := C.perpend_class(model, C.size_t(k)); text != nil {
				name = C.GoString(text)
			}
			fmt.Printf("%s %.2f, ", name, float64(answers[r*classes+k]))
		}
		fmt.Printf("disagreement %.2f\n", float64(disagreement[r]))
	}
}
