/** Descriptions of the APIs for programs and people, and the page that shows them. */
package dev.trainyard.server.openapi;
