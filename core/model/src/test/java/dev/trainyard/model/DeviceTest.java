package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceTest {
  @ParameterizedTest
  @CsvSource({
    "gtx1080ti, '', true",
    "gtx1080ti, gtx1080ti, true",
    "gtx1080ti, GTX1080Ti, true",
    "gtx1080ti, GTX 1080 Ti, true",
    "gtx1080ti, gtx1080, false",
    "gtx1080, gtx1080ti, false",
    "a100, v100, false",
    "'', v100, true",
    "'', '', true",
  })
  void isOfType(String model, String type, boolean expected) {
    Device device = new Device(DeviceVendor.NVIDIA, 0, model, DataSize.ZERO, List.of());
    assertThat(device.isOfType(type)).isEqualTo(expected);
  }
}
