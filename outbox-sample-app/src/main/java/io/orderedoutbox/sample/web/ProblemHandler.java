/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import io.orderedoutbox.sample.load.LoadRunningException;
import io.orderedoutbox.sample.order.OrderClosedException;
import io.orderedoutbox.sample.order.OrderNotFoundException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Tells the caller what was wrong, as {@code application/problem+json}.
 */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {

	@ExceptionHandler
	ProblemDetail handle(OrderNotFoundException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, ex.getMessage());
	}

	@ExceptionHandler({ OrderClosedException.class, LoadRunningException.class, NoBillingException.class })
	ProblemDetail handleConflict(RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ex.getMessage());
	}

	@ExceptionHandler
	ProblemDetail handle(IllegalArgumentException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
	}

	// A record that refuses its values says why; what Jackson says itself is of no use to
	// a caller
	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(HttpMessageNotReadableException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		if (ex.getMostSpecificCause() instanceof IllegalArgumentException refusal) {
			return handleExceptionInternal(ex, handle(refusal), headers, status, request);
		}
		return super.handleHttpMessageNotReadable(ex, headers, status, request);
	}

}
