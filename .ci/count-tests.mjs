// Prints "<passed> <failed> <skipped>" of a vitest JSON report. A file that broke before its first test, and a run that
// failed for another reason than a test, count as one failure each; a report that is not there or ran nothing as well.
import { readFileSync } from 'node:fs';

const [path, exitCode] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
try {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed = report.numPassedTests;
  skipped = report.numPendingTests + report.numTodoTests;
  const broken = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0);
  failed = report.numFailedTests + broken.length;
} catch (error) {
  process.stderr.write(`no test report: ${error.message}\n`);
}
if (failed === 0 && (passed === 0 || exitCode !== '0')) failed = 1;
process.stdout.write(`${passed} ${failed} ${skipped}\n`);
