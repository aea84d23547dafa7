package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.jobfile.Conversion;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.jobfile.ParsedJob;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code convert FILE --to v2}: prints a job file in another format. */
@picocli.CommandLine.Command(name = "convert")
public final class ConvertCommand extends Command {
  @Parameters(paramLabel = "FILE", descriptionKey = "file")
  private String file;

  @Option(names = "--to", paramLabel = "FORMAT", required = true)
  private String format;

  public ConvertCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (!format.equals("v2") && !format.equals("openpai-v2")) {
      throw session().wrong("cli.convert.format", "format", format);
    }
    String name = file.equals("-") ? "<stdin>" : file;
    byte[] fileBytes = new Submission(session(), file).read();
    ParsedJob job = JobFiles.parse(fileBytes);
    if (!job.problems().isEmpty()) {
      for (Problem problem : job.problems()) {
        terminal().note(ErrorReport.formatProblem(words(), name, problem));
      }
      terminal().note(say("cli.convert.refused", "file", name));
      return ExitCode.FAILED;
    }
    Conversion conversion = Conversion.toV2(new String(fileBytes, StandardCharsets.UTF_8));
    for (Message note : conversion.notes()) {
      terminal().note(PlainText.of(say("cli.convert.note", "text", words().say(note))));
    }
    if (session().json()) {
      terminal().line(new Json(conversion.file()).pretty());
    } else {
      terminal().print(conversion.yaml());
    }
    return ExitCode.OK;
  }
}
