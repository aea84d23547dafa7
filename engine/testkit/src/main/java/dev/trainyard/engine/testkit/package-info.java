/** What every engine's tests inherit, and an engine that does as a test says. */
package dev.trainyard.engine.testkit;
