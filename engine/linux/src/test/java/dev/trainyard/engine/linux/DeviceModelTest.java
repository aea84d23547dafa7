package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DeviceVendor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceModelTest {
  @ParameterizedTest
  @CsvSource({
    "NVIDIA, NVIDIA A100-SXM4-80GB, a100",
    "NVIDIA, A100-PCIE-40GB, a100",
    "NVIDIA, NVIDIA A800 80GB PCIe, a800",
    "NVIDIA, NVIDIA H100 80GB HBM3, h100",
    "NVIDIA, NVIDIA GeForce GTX 1080 Ti, gtx1080ti",
    "NVIDIA, GeForce RTX 2080, rtx2080",
    "NVIDIA, TITAN Xp, titanxp",
    "NVIDIA, Tesla V100-SXM2-16GB, v100",
    "NVIDIA, Tesla T4, t4",
    "NVIDIA, NVIDIA L40S, l40s",
    "NVIDIA, Quadro RTX 4000, rtx4000",
    "NVIDIA, Quadro P2000, p2000",
    "ASCEND, 910A, ascend910",
    "ASCEND, 910B4-1, ascend910",
    "ASCEND, Ascend910, ascend910",
    "ASCEND, 310P3, ascend310p",
    "AMD, Radeon RX 7900 XT, rx7900xt",
    "AMD, Arcturus GL-XL [AMD Instinct MI100], mi100",
    "AMD, Navi 21 [Radeon RX 6800/6800 XT / 6900 XT], rx6800",
  })
  void normalize_namesOfRealDevices(DeviceVendor vendor, String name, String model) {
    assertThat(DeviceModel.normalize(vendor, name)).isEqualTo(model);
  }
}
