package dev.trainyard.server.event;

import java.util.List;

/**
 * Some events, oldest first.
 *
 * @param position where to go on: nothing up to here is left to tell
 */
record EventPage(List<Event> events, long position) {}
