package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.JobState;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.team.VirtualCluster;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    HttpResponse<String> response =
        fixture.web.send(
            "POST",
            "/rest-server/api/v1/token",
            "username=alice&password=alice-password&expiration=36000",
            "Content-Type",
            FORM);
    assertThat(response.statusCode()).isEqualTo(200);
    return TestWeb.json(response).get("token").textValue();
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

  /** The views of jobs and storages, and a job of either format, with a token of a program. */
  @Test
  void visualStudioCode_withApplicationToken() throws Exception {
    HttpResponse<String> info = fixture.web.get("/rest-server/api/v2/info");
    assertThat(TestWeb.json(info).get("authnMethod").textValue()).isEqualTo("basic");
    String session = oldLogin();
    HttpResponse<String> created = fixture.send(session, "POST", "/tokens/application", "");
    assertThat(created.statusCode()).isEqualTo(200);
    String token = TestWeb.json(created).get("token").textValue();
    String generated = "// Written by the extension.\n" + V1_FILE.formatted("first");
    assertThat(
            fixture
                .send(token, "POST", "/rest-server/api/v1/user/alice/jobs", generated)
                .statusCode())
        .isEqualTo(202);
    fixture.submit(token, "alice", file("second", ""));
    assertThat(fixture.get(token, "/rest-server/api/v2/jobs").findValuesAsText("name"))
        .containsExactly("second", "first");
    assertThat(fixture.get(token, "/rest-server/api/v1/jobs")).hasSize(2);
    JsonNode shown = fixture.get(token, "/rest-server/api/v1/user/alice/jobs/second");
    assertThat(shown.at("/jobStatus/state").textValue()).isIn("WAITING", "RUNNING");
    fixture.teams.createVirtualCluster(
        Actor.SYSTEM, new VirtualCluster("lab", "", Quota.UNLIMITED));
    String group =
        "{\"groupname\":\"team\",\"extension\":{\"acls\":{\"admin\":false,"
            + "\"virtualClusters\":[\"lab\"],\"storageConfigs\":[\"data\"]}}}";
    String root = fixture.signIn("root");
    fixture.send(root, "POST", "/groups", group);
    fixture.send(root, "PUT", "/users/alice/group", "{\"groupname\":\"team\"}");
    assertThat(
            fixture.get(token, "/rest-server/api/v2/storages").at("/storages/0/name").textValue())
        .isEqualTo("data");
    assertThat(fixture.get(token, "/rest-server/api/v2/storages/data").get("type").textValue())
        .isNotEmpty();
    String stop = "/rest-server/api/v2/jobs/alice~second/executionType";
    assertThat(fixture.send(token, "PUT", stop, "{\"value\":\"STOP\"}").statusCode())
        .isEqualTo(202);
  }

  @Test
  void visualStudioCode_recordedRequests_getTheResponsesItExpects() throws Exception {
    String root = fixture.signIn("root");
    String group =
        "{\"groupname\":\"team\",\"extension\":{\"acls\":{\"admin\":false,"
            + "\"virtualClusters\":[],\"storageConfigs\":[\"data\"]}}}";
    fixture.send(root, "POST", "/groups", group);
    fixture.send(root, "PUT", "/users/alice/group", "{\"groupname\":\"team\"}");
    Map<String, String> tokens = new HashMap<>();
    List<RecordedRequest> requests = RecordedRequest.load("vscode-requests.txt");
    assertThat(requests).hasSize(20);
    for (RecordedRequest request : requests) {
      HttpResponse<String> response = replay(request, tokens);
      String status = String.valueOf(response.statusCode());
      if (request.status().contains(" ")) {
        status = refusal(response);
      }
      assertThat(status).as(request.title() + response.body()).isEqualTo(request.status());
      for (String field : request.fields()) {
        JsonNode value = TestWeb.json(response).at(field);
        assertThat(value.asText()).as(request.title() + " " + field).isNotEmpty();
        if (field.equals("/token")) {
          tokens.put(
              request.path().endsWith("application") ? "application" : "session",
              value.textValue());
        }
      }
    }
  }

  private HttpResponse<String> replay(RecordedRequest request, Map<String, String> tokens)
      throws Exception {
    List<String> headers = new ArrayList<>();
    if (!request.token().isEmpty()) {
      headers.addAll(List.of("Authorization", "Bearer " + tokens.get(request.token())));
    }
    if (!request.type().isEmpty()) {
      headers.addAll(List.of("Content-Type", request.type()));
    }
    return fixture.web.send(
        request.method(), request.path(), request.body(), headers.toArray(String[]::new));
  }

  @Test
  void v1File_asForm_runsLikeTheFile() throws Exception {
    String token = oldLogin();
    String form =
        "jobName=form&image=ubuntu%3A16.04&retryCount=1&jobEnvs[A]=b"
            + "&taskRoles[0][name]=main&taskRoles[0][taskNumber]=2&taskRoles[0][cpuNumber]=1"
            + "&taskRoles%5B0%5D%5BmemoryMB%5D=100&taskRoles[0][command]=echo+%22a%26b%22"
            + "&taskRoles[0][portList][0][label]=web&taskRoles[0][portList][0][portNumber]=3"
            + "&taskRoles[1][name]=ps&taskRoles[1][command]=true&taskRoles[1][memoryMB]=100";
    HttpResponse<String> response =
        fixture.send(token, "POST", "/api/v1/jobs", form, "Content-Type", FORM);
    assertThat(response.body()).contains("update job form successfully");
    assertThat(response.statusCode()).isEqualTo(202);
    JsonNode config = fixture.get(token, "/api/v1/user/alice/jobs/form/config");
    assertThat(config.get("retryCount").intValue()).isEqualTo(1);
    assertThat(config.at("/taskRoles/0/command").textValue()).isEqualTo("echo \"a&b\"");
    assertThat(config.at("/taskRoles/0/taskNumber").intValue()).isEqualTo(2);
    assertThat(config.at("/taskRoles/0/portList/0/portNumber").intValue()).isEqualTo(3);
    assertThat(config.at("/taskRoles/1/name").textValue()).isEqualTo("ps");
    assertThat(config.at("/jobEnvs/A").textValue()).isEqualTo("b");
  }

  @Test
  void v1File_declaredAsFormByCurl_isTheFileItself() throws Exception {
    String token = oldLogin();
    String text = "// by hand\n" + V1_FILE.formatted("curl");
    assertThat(fixture.send(token, "POST", "/api/v1/jobs", text, "Content-Type", FORM).statusCode())
        .isEqualTo(202);
  }

  @Test
  void brokenForms_areRejected() throws Exception {
    String token = oldLogin();
    for (String form :
        List.of(
            "jobName=a&jobName=b",
            "jobName=a&jobName[x]=b",
            "jobName=a&taskRoles[0=b",
            "jobName=a&taskRoles[0]x=b",
            "jobName=%zz",
            "jobName=a&x" + "[0]".repeat(20) + "=b",
            "jobName=a&" + "x".repeat(2_000) + "=b",
            "jobName=a" + "&x[]=b".repeat(FormJobFile.MAX_VALUES))) {
      assertThat(refusal(fixture.send(token, "POST", "/api/v1/jobs", form, "Content-Type", FORM)))
          .isEqualTo("400 InvalidParametersError");
    }
  }

  @Test
  void form_manyTables_isRejected() {
    // Each field creates eight tables and one value.
    int most = FormJobFile.MAX_VALUES / 9;
    assertThat(FormJobFile.toJson(deepFields(most))).startsWith("{\"x0\":[[[[[[[[\"\"]");
    assertThatThrownBy(() -> FormJobFile.toJson(deepFields(most + 1)))
        .isInstanceOf(PaiException.class)
        .hasMessageContaining("more than " + FormJobFile.MAX_VALUES + " values");
  }

  private static String deepFields(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "x" + i + "[]".repeat(8) + "=")
        .collect(Collectors.joining("&"));
  }

  @Test
  void form_longerThanAJobFile_isNotConverted() throws Exception {
    String form = "jobName=a&x=" + "y".repeat(JobFiles.MAX_LENGTH);
    HttpResponse<String> response =
        fixture.send(oldLogin(), "POST", "/api/v1/jobs", form, "Content-Type", FORM);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains(String.valueOf(form.length()));
  }

  @Test
  void bodies_manyFieldsOrValues_areRejected() throws Exception {
    String fields = "username=alice&password=a" + "&a=b".repeat(1_000);
    assertThat(
            refusal(
                fixture.web.send(
                    "POST", "/rest-server/api/v1/token", fields, "Content-Type", FORM)))
        .isEqualTo("400 InvalidParametersError");
    String json = "{\"value\":" + "[".repeat(60) + "]".repeat(60) + "}";
    for (String body : List.of(json, "\"" + json.replace("\"", "\\\"") + "\"")) {
      HttpResponse<String> response =
          fixture.web.send(
              "POST", "/rest-server/api/v1/token", body, "Content-Type", "application/json");
      assertThat(response.statusCode()).as(body).isEqualTo(413);
    }
  }

  /** The page of the portal that lists services reads the address of every node. */
  @Test
  void nodes_haveAnInternalAddress() throws Exception {
    String root = fixture.signIn("root");
    JsonNode addresses = fixture.get(root, "/kubernetes/nodes").at("/items/0/status/addresses");
    assertThat(addresses)
        .anyMatch(
            address ->
                address.get("type").textValue().equals("InternalIP")
                    && address.get("address").textValue().matches("[0-9.]+|[0-9a-f:]+"));
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
