/** OpenAPI documents of the APIs, and the page that shows them. */
package dev.trainyard.server.openapi;
