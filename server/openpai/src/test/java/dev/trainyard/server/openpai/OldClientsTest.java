package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.job.Job;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls of existing client programs, which will not be changed anymore. */
class OldClientsTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  /** As written by the web portal of 2019 and by opai. */
  private static final String V1_FILE =
      """
      {"jobName": "%s", "image": "ubuntu:16.04", "retryCount": 0, "taskRoles": [
        {"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
         "command": "echo hello"}]}
      """;

  private final OpenPaiFixture fixture = new OpenPaiFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String oldLogin() throws Exception {
    HttpResponse<String> answer =
        fixture.web.send(
            "POST",
            "/rest-server/api/v1/token",
            "username=alice&password=alice-password&expiration=36000",
            "Content-Type",
            FORM);
    assertThat(answer.statusCode()).isEqualTo(200);
    return TestWeb.json(answer).get("token").textValue();
  }

  @Test
  void visualStudioCode() throws Exception {
    String probe = "/rest-server/api/v2/jobs/protocolversion/config";
    assertThat(TestWeb.json(fixture.web.get(probe)).get("code").textValue())
        .isNotEqualTo("NoApiError");
    String token = oldLogin();
    assertThat(refusal(fixture.send(token, "GET", probe, ""))).isEqualTo("404 NoJobError");
    String free = "/rest-server/api/v1/user/alice/jobs/new";
    assertThat(refusal(fixture.send(token, "GET", free, ""))).isEqualTo("404 NoJobError");
    fixture.submit(token, "alice", file("new", ""));
    assertThat(fixture.get(token, free).get("name").textValue()).isEqualTo("new");
    assertThat(fixture.get(token, "/jobs?username=alice")).hasSize(1);
    assertThat(fixture.get(token, "/storages").get("storages")).isEmpty();
    HttpResponse<String> oidc = fixture.web.get("/rest-server/api/v1/authn/oidc/login");
    assertThat(refusal(oidc)).isEqualTo("404 NoApiError");
    assertThat(fixture.send(token, "POST", "/tokens/application", "{}").statusCode())
        .isEqualTo(200);
    assertThat(fixture.web.get("/view.html").statusCode()).isEqualTo(404);
    assertThat(fixture.web.get("/job-detail.html?username=alice&jobName=new").statusCode())
        .isEqualTo(302);
  }

  @Test
  void nni() throws Exception {
    String token = fixture.signIn("alice");
    Job job =
        fixture.jobs.await(fixture.submit(token, "alice", file("nni_exp_1", "")), JobState.RUNNING);
    JsonNode listed = fixture.get(token, "/jobs?username=alice");
    assertThat(listed.get(0).get("name").textValue()).isEqualTo("nni_exp_1");
    assertThat(listed.get(0).get("state").textValue()).isEqualTo("RUNNING");
    HttpResponse<String> stop =
        fixture.send(token, "PUT", "/jobs/alice~nni_exp_1/executionType", "{\"value\":\"STOP\"}");
    assertThat(stop.statusCode()).isEqualTo(202);
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), 143);
    fixture.jobs.await(job, JobState.STOPPED);
    assertThat(fixture.get(token, "/jobs?username=alice").get(0).get("state").textValue())
        .isEqualTo("STOPPED");
  }

  @Test
  void opaiAndPaicli() throws Exception {
    assertThat(fixture.web.get("/rest-server/api/v1").statusCode()).isEqualTo(200);
    String token = oldLogin();
    String user = "/rest-server/api/v1/user/alice";
    assertThat(fixture.get(token, user).get("username").textValue()).isEqualTo("alice");
    HttpResponse<String> response =
        fixture.send(token, "POST", user + "/jobs", V1_FILE.formatted("a"));
    assertThat(response.statusCode()).isEqualTo(202);
    assertThat(response.headers().firstValue("location")).contains("/api/v1/user/alice/jobs/a");
    assertThat(fixture.send(token, "PUT", user + "/jobs/b", V1_FILE.formatted("b")).statusCode())
        .isEqualTo(202);
    assertThat(
            fixture
                .send(token, "POST", "/rest-server/api/v1/jobs", V1_FILE.formatted("c"))
                .statusCode())
        .isEqualTo(202);
    assertThat(fixture.get(token, user + "/jobs")).hasSize(3);
    assertThat(fixture.get(token, "/rest-server/api/v1/jobs")).hasSize(3);
    assertThat(fixture.get(token, user + "/jobs/a").at("/jobStatus/username").textValue())
        .isEqualTo("alice");
    assertThat(fixture.get(token, user + "/jobs/a/config").get("jobName").textValue())
        .isEqualTo("a");
    assertThat(refusal(fixture.send(token, "GET", user + "/jobs/a/ssh", "")))
        .isEqualTo("404 NoJobSshInfoError");
    String execution = user + "/jobs/a/executionType";
    assertThat(fixture.send(token, "PUT", execution, "{\"value\":\"STOP\"}").statusCode())
        .isEqualTo(202);
    assertThat(
            refusal(
                fixture.send(
                    token, "POST", "/rest-server/api/v1/user/bob/jobs", V1_FILE.formatted("d"))))
        .isEqualTo("403 ForbiddenUserError");
    assertThat(fixture.get(token, "/rest-server/api/v1/virtual-clusters").has("default")).isTrue();
    for (String path : List.of("/jobs", "/virtual-clusters", "/user/alice/jobs")) {
      assertThat(refusal(fixture.web.get("/rest-server/api/v1" + path)))
          .isEqualTo("401 UnauthorizedUserError");
    }
  }
}
