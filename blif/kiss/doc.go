// Package kiss reads the state tables that stand between .start_kiss and
// .end_kiss, in the KISS2 format of SIS. What is wrong with one is for others to
// say: here every table is read as far as it goes.
package kiss
