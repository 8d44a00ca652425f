"""Lists and calls every tool with the client of mcp 2.x, in the era named last; prints what it heard as JSON."""

import asyncio
import json
import sys

from mcp import Client, MCPError
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main(url: str, token: str, calls: list, mode: str) -> None:
    async with create_mcp_http_client(headers={"authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            heard = []
            for name, arguments in calls:
                try:
                    result = await client.call_tool(name, arguments)
                    heard.append({"error": result.is_error, "value": result.structured_content})
                except MCPError as refused:
                    heard.append({"code": refused.error.code})
            print(json.dumps({"revision": client.session.protocol_version, "tools": [tool.name for tool in tools], "heard": heard}))


asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4]))
