package dev.trainyard.server.event;

import java.util.List;

/**
 * Events, oldest first.
 *
 * @param position position after which the next page begins; this and earlier pages contain all
 *     events up to it
 */
record EventPage(List<Event> events, long position) {}
