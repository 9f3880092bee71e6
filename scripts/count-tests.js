// Reads vitest's JSON report and prints `PASSED FAILED`. Usage: count-tests.js REPORT EXIT_CODE
import { readFileSync } from 'node:fs';

const [, , report = '', code = '1'] = process.argv;

/** A file fails beyond its tests when it cannot be loaded or when its clean-up fails. */
const failuresOf = ({ status, assertionResults = [] }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  return failed === 0 && status === 'failed' ? 1 : failed;
};

let passed = 0;
let failed = 0;
try {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const file of testResults) {
    passed += file.assertionResults.filter((test) => test.status === 'passed').length;
    failed += failuresOf(file);
  }
} catch (error) {
  console.error(`no test report: ${error.message}`);
}
// vitest also fails for errors outside of any test, and when it finds no tests at all.
if (code !== '0' && failed === 0) failed = 1;
if (passed + failed === 0) failed = 1;
console.log(`${passed} ${failed}`);
