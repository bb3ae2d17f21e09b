-- One request repeated, made from the environment: BENCH_METHOD, BENCH_TOKEN, BENCH_BODY, BENCH_KEYED (a new
-- Idempotency-Key for each request). Reports as one line of JSON.
local headers = {}
local token, body = os.getenv("BENCH_TOKEN"), os.getenv("BENCH_BODY")
if token then headers["Authorization"] = "Bearer " .. token end
if body then headers["Content-Type"] = "application/json" end

wrk.method, wrk.body, wrk.headers = os.getenv("BENCH_METHOD") or "GET", body, headers

if os.getenv("BENCH_KEYED") then
  local count, run = 0, os.getenv("BENCH_KEYED")
  request = function()
    count = count + 1
    headers["Idempotency-Key"] = run .. "-" .. count
    return wrk.format(nil, nil, headers, body)
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"failed":%d,"p50_us":%d,"p99_us":%d,"max_us":%d,"bytes":%d}\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max, summary.bytes))
end
