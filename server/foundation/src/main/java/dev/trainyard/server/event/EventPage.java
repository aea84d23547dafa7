package dev.trainyard.server.event;

import java.util.List;

/**
 * Events, oldest first.
 *
 * @param position position after which the next page begins: all events up to it have been returned
 */
record EventPage(List<Event> events, long position) {}
