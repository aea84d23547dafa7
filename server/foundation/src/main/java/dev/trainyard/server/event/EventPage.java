package dev.trainyard.server.event;

import java.util.List;

/**
 * Events, oldest first.
 *
 * @param position where to continue: all events up to here have been returned
 */
record EventPage(List<Event> events, long position) {}
