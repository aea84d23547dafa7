/** Contract tests that the tests of every engine inherit, and a scripted engine for other tests. */
package dev.trainyard.engine.testkit;
