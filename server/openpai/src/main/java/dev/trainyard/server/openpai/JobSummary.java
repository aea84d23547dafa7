package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import dev.trainyard.server.job.JobListItem;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job in a list. It serializes itself because a list contains thousands of jobs, and creating
 * intermediate maps takes more time than writing the JSON.
 */
record JobSummary(JobListItem job, List<String> tags, Instant now) implements JsonSerializable {
  @Override
  public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
    json.writeStartObject();
    json.writeStringField("debugId", PaiNames.debugId(job));
    json.writeStringField("name", job.name());
    json.writeStringField("username", job.userName());
    json.writeStringField("state", States.state(job));
    json.writeStringField("subState", States.subState(job));
    json.writeStringField("executionType", States.executionType(job));
    json.writeArrayFieldStart("tags");
    for (String tag : tags) {
      json.writeString(tag);
    }
    json.writeEndArray();
    writeRetries(json);
    json.writeNumberField("submissionTime", job.submitted().toEpochMilli());
    json.writeNumberField("createdTime", job.submitted().toEpochMilli());
    writeNumber(json, "launchedTime", millis(job.started()));
    writeNumber(json, "completedTime", millis(job.ended()));
    writeNumber(json, "appExitCode", States.exitCode(job));
    json.writeStringField("virtualCluster", job.virtualCluster());
    json.writeNumberField("totalGpuNumber", job.devices());
    json.writeNumberField("totalTaskNumber", job.taskCount());
    json.writeNumberField("totalTaskRoleNumber", job.roleCount());
    json.writeStringField("jobPriority", priority(job.priority()));
    json.writeEndObject();
  }

  private void writeRetries(JsonGenerator json) throws IOException {
    RetryCounts retries = RetryCounts.of(job);
    json.writeNumberField("retries", retries.all());
    json.writeObjectFieldStart("retryDetails");
    json.writeNumberField("user", retries.user());
    json.writeNumberField("platform", retries.platform());
    json.writeNumberField("resource", retries.resource());
    json.writeEndObject();
    writeNumber(json, "retryDelayTime", RetryCounts.delay(job.notBefore(now), now));
  }

  private static void writeNumber(JsonGenerator json, String name, Number number)
      throws IOException {
    if (number == null) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, number.longValue());
    }
  }

  @Override
  public void serializeWithType(
      JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
    serialize(json, provider);
  }

  static String priority(String name) {
    return name.isEmpty() ? null : name;
  }

  static Long millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).orElse(null);
  }
}
