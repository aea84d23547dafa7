package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The responses about storages. */
class StorageOperationsTest {
  /** Types that OpenPAI's user profile page can show; any other type breaks the page. */
  private static final Set<String> SHOWN_TYPES =
      Set.of("nfs", "samba", "azureFile", "azureBlob", "dshuttle", "hdfs", "unknown");

  private final OpenPaiFixture fixture = new OpenPaiFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void type_canBeShownByTheProfilePage() throws Exception {
    String root = fixture.signIn("root");
    String group =
        "{\"groupname\":\"team\",\"extension\":{\"acls\":{\"admin\":false,"
            + "\"virtualClusters\":[],\"storageConfigs\":[\"data\"]}}}";
    assertThat(fixture.send(root, "POST", "/groups", group).statusCode()).isEqualTo(201);
    fixture.send(root, "PUT", "/users/alice/group", "{\"groupname\":\"team\"}");
    JsonNode storage = fixture.get(fixture.signIn("alice"), "/storages/data");
    assertThat(storage.get("type").textValue()).isIn(SHOWN_TYPES);
    assertThat(storage.get("data")).isEmpty();
  }
}
