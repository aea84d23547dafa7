/** How ends are understood: what each means, why it comes about, and what to do about it. */
package dev.trainyard.model.diagnosis;
